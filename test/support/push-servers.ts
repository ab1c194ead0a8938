import { generateKeyPairSync, verify, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { createServer as createHttp2Server, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** What came, and what is answered: the last script stays. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

export interface Scripted {
  status: number;
  body?: object;
  headers?: Record<string, string>;
  /** Instead of an answer. */
  hangUp?: boolean;
}

export interface PushServer {
  url: string;
  received: Received[];
  /** Answers to the next requests, in their order; when they are used up all is well. */
  answers: Scripted[];
  close(): Promise<void>;
}

export const signingKey = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
export const accountKey = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const pem = ({ privateKey }: { privateKey: KeyObject }): string => privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The two parts of a web token whose signature is that of the key; throws where it is not. */
export function opened(token: string, key: KeyObject): { header: any; claims: any } { // eslint-disable-line @typescript-eslint/no-explicit-any
  const [header, claims, signature] = token.split('.');
  const isGenuine = verify('sha256', Buffer.from(`${header}.${claims}`), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  if (!isGenuine) throw new Error('the signature of the token is wrong');
  return { header: JSON.parse(Buffer.from(header, 'base64url').toString()), claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) };
}

/** Speaks HTTP/2 as the iOS platform service does. It refuses tokens that its key has not signed. */
export async function startProviderA(): Promise<PushServer & { sessions: number }> {
  const received: Received[] = [];
  const answers: Scripted[] = [];
  const sessions = new Set<ServerHttp2Session>();
  const server = createHttp2Server();
  const state = { url: '', received, answers, sessions: 0, close: () => closeAll(server, () => sessions.forEach((session) => session.destroy())) };
  server.on('session', (session) => {
    state.sessions++;
    sessions.add(session);
    session.on('error', () => {});
  });
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    let text = '';
    stream.setEncoding('utf8');
    stream.on('error', () => {});
    stream.on('data', (chunk: string) => void (text += chunk));
    stream.on('end', () => {
      received.push({ path: String(headers[':path']), headers: headers as Record<string, string>, body: JSON.parse(text) });
      const answer = isSigned(String(headers.authorization)) ? (answers.shift() ?? { status: 200 }) : { status: 403, body: { reason: 'InvalidProviderToken' } };
      if (answer.hangUp) return void stream.session?.destroy();
      stream.respond({ ':status': answer.status, 'apns-id': headers['apns-id'], ...answer.headers });
      stream.end(answer.body ? JSON.stringify(answer.body) : undefined);
    });
  });
  state.url = await listen(server);
  return state;
}

function isSigned(authorization: string): boolean {
  try {
    return opened(authorization.replace(/^bearer /, ''), signingKey.publicKey).header.alg === 'ES256';
  } catch {
    return false;
  }
}

/** Speaks HTTP as FCM v1 and as the token service of its accounts, which is at `/token`. */
export async function startProviderB(): Promise<PushServer & { tokens: number; tokenAnswers: Scripted[] }> {
  const received: Received[] = [];
  const answers: Scripted[] = [];
  const tokenAnswers: Scripted[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk)).on('end', () => {
      const answer = request.url === '/token' ? token(text) : send(request.url!, request.headers as Record<string, string>, text);
      if (answer.hangUp) return void request.socket.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(JSON.stringify(answer.body ?? { name: 'projects/p/messages/1' }));
    });
  });
  const state = { url: '', received, answers, tokenAnswers, tokens: 0, close: () => closeAll(server, () => server.closeAllConnections()) };

  function token(form: string): Scripted {
    const { grant_type: grant, assertion } = Object.fromEntries(new URLSearchParams(form));
    const { header, claims } = opened(assertion, accountKey.publicKey);
    const isRight = grant === 'urn:ietf:params:oauth:grant-type:jwt-bearer' && header.alg === 'RS256' && claims.aud === `${state.url}/token` && claims.scope.endsWith('/firebase.messaging') && claims.exp - claims.iat === 3_600;
    if (!isRight) return { status: 400, body: { error: 'invalid_grant' } };
    return tokenAnswers.shift() ?? { status: 200, body: { access_token: `access-${++state.tokens}`, expires_in: 3_599, token_type: 'Bearer' } };
  }

  function send(path: string, headers: Record<string, string>, text: string): Scripted {
    received.push({ path, headers, body: JSON.parse(text) });
    if (headers.authorization !== `Bearer access-${state.tokens}`) return { status: 401, body: { error: { code: 401, status: 'UNAUTHENTICATED' } } };
    return answers.shift() ?? { status: 200 };
  }

  state.url = await listen(server);
  return state;
}

export const serviceAccount = (server: { url: string }): string =>
  JSON.stringify({ type: 'service_account', project_id: 'milk-run', client_email: 'push@milk-run.example', private_key: pem(accountKey), token_uri: `${server.url}/token` });

async function listen(server: Server | Http2Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function closeAll(server: Server | Http2Server, hangUp: () => void): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    hangUp();
  });
}
