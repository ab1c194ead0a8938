/** Read from the first characters of a token, which the service gives it for this. */
export function kindOfToken(token: string): 'session' | 'driver' | 'key' {
  if (token.startsWith('md_')) return 'driver';
  return token.startsWith('mk_') ? 'key' : 'session';
}
