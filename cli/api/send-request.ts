import { asServiceError, parseJson } from '../client.ts';
import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { readData } from '../derived/read-data.ts';
import { fillPath } from '../derived/fill-path.ts';
import { wrongUsage } from '../failures.ts';
import type { Pair } from './commands.ts';

interface Options {
  data?: string;
  query?: Pair[];
  header?: Pair[];
  include?: boolean;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

export async function sendRequest({ operands: [methodText, template], options }: Input, context: Context): Promise<void> {
  const { data, query = [], header = [], include } = options as Options;
  const method = methodText.toUpperCase();
  if (!methods.includes(method)) throw wrongUsage(`${JSON.stringify(methodText)} is no method; there are ${methods.join(', ')}`);
  if (!template.startsWith('/')) throw wrongUsage('the path must begin with /', 'such as /api/v1/businesses/{id}/vehicles');
  const path = withQuery(fillPath(template, {}, context), query);
  const body = data === undefined ? undefined : await readData(data, context);
  // An event stream has no end of its own, so that it is written as it comes.
  const response = await context.client.fetch({ method, path, body, headers: Object.fromEntries(header), isEndless: true });
  if (include) {
    context.note(`${response.status} ${response.statusText}`.trim());
    for (const [name, value] of response.headers) context.note(`${name}: ${value}`);
  }
  if (response.ok && response.headers.get('content-type')?.startsWith('text/event-stream')) return writeStream(response, context);
  const text = await response.text();
  const json = parseJson(text);
  if (text !== '') context.print(json === undefined ? text : `${JSON.stringify(json, null, 2)}\n`);
  if (response.status >= 400) throw asServiceError(response, text, json);
}

/** The same parameter may be given more than once. */
function withQuery(path: string, query: readonly Pair[]): string {
  if (query.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query.map((pair) => [...pair])).toString()}`;
}

async function writeStream(response: Response, context: Context): Promise<void> {
  const decoder = new TextDecoder();
  if (response.body) for await (const chunk of response.body) context.print(decoder.decode(chunk, { stream: true }));
}
