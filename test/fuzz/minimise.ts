import type { Judge } from './judge.ts';
import { jsonOf, parsed } from './json.ts';
import type { Exchange, Shot } from './shot.ts';

/** Sends at most so many requests to make one smaller. */
const attemptsMax = 150;

/** The smallest request on the way of leaving things out that is answered with the same problem. */
export async function smallest(exchange: Exchange, shoot: (shot: Shot) => Promise<Exchange>, judge: Judge): Promise<Exchange> {
  let best = exchange;
  let left = attemptsMax;
  const wanted = signature(exchange, judge(exchange));
  for (let hasShrunk = true; hasShrunk && left > 0;) {
    hasShrunk = false;
    for (const shot of smaller(best.shot)) {
      if (left-- <= 0) break;
      const tried = await shoot(shot);
      if (signature(tried, judge(tried)) !== wanted) continue;
      best = tried;
      hasShrunk = true;
      break;
    }
  }
  return best;
}

/** What makes two failures the same one: operation, status and kind of problem, without the values in it. */
export const signature = ({ operation, reply }: Exchange, problems: string[]): string =>
  [reply.status === 417 ? '' : operation?.id, reply.status, problems[0]?.replaceAll(/"[^"]*"|[\d.]+|\/\S+/g, '…')].join(' ');

function* smaller(shot: Shot): Generator<Shot> {
  if (shot.raw) return;
  for (const name of Object.keys(shot.headers).filter((each) => !['authorization', 'content-type'].includes(each))) yield { ...shot, headers: without(shot.headers, name) };
  if (shot.isChunked) yield { ...shot, isChunked: false };
  if (shot.path.includes('?')) yield { ...shot, path: shot.path.split('?')[0] };
  const value = parsed(shot.body);
  if (value === undefined) return;
  for (const less of smallerValues(value, 4)) yield { ...shot, body: Buffer.from(jsonOf(less)) };
}

/** One property or item less, half of a long text or list, somewhere in it. */
function* smallerValues(value: unknown, depth: number): Generator<unknown> {
  if (typeof value === 'string' && value.length > 40) yield value.slice(0, value.length / 2);
  if (typeof value !== 'object' || value === null || depth === 0) return;
  if (Array.isArray(value)) {
    if (value.length > 1) yield value.slice(0, value.length / 2);
    if (value.length > 0) yield value.slice(1);
    for (const [nth, item] of value.slice(0, 3).entries()) for (const less of smallerValues(item, depth - 1)) yield value.with(nth, less);
    return;
  }
  for (const name of Object.keys(value)) yield without(value as Record<string, unknown>, name);
  for (const [name, inner] of Object.entries(value)) for (const less of smallerValues(inner, depth - 1)) yield { ...value, [name]: less };
}

const without = <T>(fields: Record<string, T>, name: string): Record<string, T> => Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name));
