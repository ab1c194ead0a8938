const KEPT = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/** Children read files that others wrote, in a language that forgives nothing: they get none of the secrets in our environment. */
export function childEnvironment(more: Record<string, string> = {}): Record<string, string> {
  const kept = KEPT.flatMap((name) => { const value = process.env[name]; return value === undefined ? [] : [[name, value]]; });
  return { ...Object.fromEntries(kept), ...more };
}
