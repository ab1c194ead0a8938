import fc from 'fast-check';
import type { Dice } from './dice.ts';
import { oddText } from './spoil-value.ts';
import type { Shot } from './shot.ts';
import type { World } from './world.ts';

/** Changes a request; whatever it does has to pass Node's own client, or be `raw`. */
type Spoiling = (shot: Shot, dice: Dice, world: World) => void;

const header = (name: string, ...values: string[]): Spoiling => (shot, dice) => { shot.headers[name] = dice.pick(values); };

/** A segment of a path that names nothing, or nothing well. */
export const oddSegment = (dice: Dice): string => dice.weighted<() => string>([
  [4, () => dice.pick(['nobody', '%00', '%', '%zz', '%c3%28', '%ed%a0%80', '.', '..', '%2e%2e', '%2F', 'a%2Fb', '+', '%20', '*', "'", '%22%3B--', 'null', 'undefined', '0', '-1', '%F0%9F%9A%92', '{id}', ':id', '~', 'batch', 'publish', '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '1e3', 'x'.repeat(121), 'x'.repeat(5_000), '%61'.repeat(500)])],
  [1, () => encodeURIComponent(oddText(dice).toWellFormed()).slice(0, 12_000) || '%20'],
  [1, () => dice.of(fc.uuid())],
])();

/** An id in a path or body of another business of the same service. */
export const elsewhere = 'elsewhere';

const headerSpoilings: [number, Spoiling][] = [
  [4, header('if-match', '"1"', '"0"', '*', 'W/"1"', '"1", "2"', '"99999999999999"', '"2147483648"', '"-1"', 'garbage', '""', '1', ',', '"\u00e9"', '"1"'.repeat(500))],
  [2, header('if-none-match', '*', '"1"', 'W/"1"', 'garbage')],
  [4, (shot, dice, world) => { shot.headers['idempotency-key'] = dice.pick(['', ' ', 'k', 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(4_000), '\u00e9', 'a b', '"quoted"', 'k1', 'k2', 'k3', ...world.ids.all('idempotency-keys')]); }],
  [2, header('last-event-id', '0', '1', '2', '-1', '1.5', '1e3', '1e99', 'NaN', 'Infinity', '2147483648', '9007199254740993', 'garbage', '0x10', '\u00e9')],
  [1, header('accept', 'application/xml', '*/*;q=0', '', 'text/html', 'x'.repeat(1_000))],
  [1, header('accept-encoding', 'gzip', 'br', 'identity;q=0', 'x')],
  [1, header('x-request-id', 'x', 'x'.repeat(201), '\u00e9', 'a b', '<script>')],
  [1, header('range', 'bytes=0-1', 'bytes=9-1', 'x')],
  [1, header('expect', '100-continue', '200-ok')],
  [1, header('x-forwarded-for', '1.2.3.4', 'garbage', '::1, x', '\u00e9', ','.repeat(1_000))],
  [1, header('x-http-method-override', 'DELETE')],
  [1, header('upgrade', 'h2c', 'websocket')],
  [1, header('host', '', 'elsewhere.example', '[', 'a b')],
  [1, header('origin', 'null', 'https://elsewhere.example')],
  [1, (shot, dice) => { for (let left = dice.int(1, 100); left > 0; left--) shot.headers[`x-${left}`] = 'x'.repeat(dice.int(0, 200)); }],
];

const querySpoiling: Spoiling = (shot, dice) => {
  const more = dice.pick([
    'limit=-1', 'limit=0', 'limit=10001', 'limit=1.5', 'limit=1e3', 'limit=%31', 'limit=', 'limit=99999999999999999999', 'cursor=garbage', 'cursor=', `cursor=${Buffer.from('["x",1,"y"]').toString('base64url')}`, `cursor=${'A'.repeat(2_000)}`,
    'from=2026-03-03T00:00:00Z&to=2026-03-02T00:00:00Z', 'from=yesterday', 'to=2026-03-02', 'from=0001-01-01T00:00:00Z', 'to=9999-12-31T23:59:59Z', 'from=2026-03-02T08:00:00+01:00', 'q=', 'q=%00', 'q=%25%5F%5C', 'q=%F0%9F%9A%92', 'q=%ff', `q=${'x%20'.repeat(60)}`, `q=${'x'.repeat(201)}`,
    'record_status=gone', 'record_status=deleted', 'record_status=all', 'view=published', 'view=', 'status=completed', 'status=', 'state=planning', 'state=superseded', 'vehicle_id=%00', 'vehicle_id=nobody', 'kind=x', 'unread=1', 'unread=true', 'group_id=x', 'validate_only=true', 'validate_only=1', 'validate_only',
    '__proto__=1', 'constructor=1', 'a[b]=1', '=1', '&&', '%', 'limit=1&limit=2', 'x'.repeat(3_000), 'nonsense=1', `q=${encodeURIComponent(oddText(dice).toWellFormed()).slice(0, 3_000)}`,
  ]);
  shot.path += (shot.path.includes('?') ? '&' : '?') + more;
};

const pathSpoilings: [number, Spoiling][] = [
  [4, (shot, dice) => {
    const segments = shot.path.split('/');
    segments[dice.int(1, segments.length - 1)] = oddSegment(dice);
    shot.path = segments.join('/');
  }],
  [1, (shot, dice) => { shot.path = shot.path.replace(/(?=\?|$)/, dice.pick(['/', '//', '/x', ';x', '%20', '.json', '/..'])); }],
  [1, (shot) => { shot.path = shot.path.replace('/api/v1', '/API/v1'); }],
  [1, (shot) => { shot.path = shot.path.replaceAll('/', '//'); }],
  [1, (shot, dice) => { shot.path = dice.pick(['/', '*', '/api', '/api/v1', '/api/v2/me', '/api/v1/openapi.json', '/livez', '/readyz?verbose', '/metrics', '/docs', '/docs/nothing', `/${'x'.repeat(9_000)}`, `/${'x'.repeat(20_000)}`]); }],
];

const methodSpoiling: Spoiling = (shot, dice) => { shot.method = dice.pick(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE']); };

const credentialSpoiling: Spoiling = (shot, dice, world) => {
  const token = shot.headers.authorization?.slice('Bearer '.length) ?? world.admin;
  const other = dice.weighted<string | null>([
    [3, null], [2, world.outsider], [2, world.secrets.pick('dead', dice) ?? 'dead'], [1, world.secrets.pick('orders.read', dice) ?? world.admin], [1, dice.pick(world.drivers)?.token ?? 'none'], [1, world.admin],
    [1, 'garbage'], [1, token.slice(0, -1)], [1, `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`], [1, token.toUpperCase()], [1, 'x'.repeat(5_000)], [1, `${token} ${token}`], [1, 'ms_'], [1, '\u00e9'],
  ]);
  delete shot.headers.authorization;
  if (other !== null) shot.headers.authorization = dice.weighted([[12, `Bearer ${other}`], [1, `bearer ${other}`], [1, `Bearer  ${other}`], [1, `Basic ${other}`], [1, other], [1, 'Bearer'], [1, `Bearer ${other},`], [1, `Token ${other}`]]);
};

/** Requests that are none: what no client of ours would send. */
const rawSpoiling: Spoiling = (shot, dice) => {
  const { method, path, headers, body } = shot;
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const length = `Content-Length: ${body?.length ?? 0}`;
  const whole = (head: string[], rest: Buffer | null = body) => Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), rest ?? Buffer.alloc(0)]);
  shot.raw = dice.pick<() => Buffer>([
    () => whole([lines[0].replace(/ (\S+) /, ` ${path}\u00ff\u00fe `), ...lines.slice(1), length]),
    () => whole([lines[0].replace(path, `${path} x`), ...lines.slice(1), length]),
    () => whole([lines[0].replace('HTTP/1.1', 'HTTP/1.0'), ...lines.slice(1), length]),
    () => whole([lines[0].replace('HTTP/1.1', 'HTTP/3.0'), ...lines.slice(1), length]),
    () => whole([lines[0].replace(path, `http://elsewhere.example${path}`), ...lines.slice(1), length]),
    () => whole([lines[0], ...lines.slice(2), length]),
    () => whole([...lines, length, 'Transfer-Encoding: chunked']),
    () => whole([...lines, 'Transfer-Encoding: gzip, chunked'], Buffer.from('0\r\n\r\n')),
    () => whole([...lines, 'Transfer-Encoding: chunked'], Buffer.from('zz\r\nx\r\n0\r\n\r\n')),
    () => whole([...lines, 'Content-Length: 1', 'Content-Length: 2']),
    () => whole([...lines, 'Content-Length: -1']),
    () => whole([...lines, 'Content-Length: 5']),
    () => whole([...lines, 'Content-Length: 999999']),
    () => whole([...lines, 'x\u0001y: z', length]),
    () => whole([...lines, ': z', length]),
    () => whole([...lines, `x-long: ${'x'.repeat(20_000)}`, length]),
    () => whole([lines[0].replace(method, 'FOO'), ...lines.slice(1), length]),
    () => whole([lines[0].replace(method, method.toLowerCase()), ...lines.slice(1), length]),
    () => whole([...lines, 'Authorization: Bearer x', 'Authorization: Bearer y', length]),
    () => Buffer.from('\u0016\u0003\u0001\u0000garbage\r\n\r\n', 'latin1'),
    () => Buffer.from('\r\n\r\n\r\n'),
  ])();
};

/** What is done to requests besides their bodies, by how often. */
export const requestSpoilings: [number, string, Spoiling][] = [
  [5, 'headers', (shot, dice, world) => dice.weighted(headerSpoilings)(shot, dice, world)],
  [4, 'query', querySpoiling],
  [3, 'path', (shot, dice, world) => dice.weighted(pathSpoilings)(shot, dice, world)],
  [2, 'method', methodSpoiling],
  [4, 'credential', credentialSpoiling],
  [0.4, 'raw', rawSpoiling],
];
