import type { Command } from '../command.ts';

export const apiCommands: readonly Command[] = [{
  words: ['api'],
  summary: 'Send any request to the service',
  description: '`{id}` in the path stands for the current business. What the service answers is written as it is.',
  operands: [
    { name: 'method', summary: 'GET, POST, PUT, PATCH or DELETE' },
    { name: 'path', summary: 'such as /api/v1/businesses/{id}/vehicles' },
  ],
  options: [
    { flags: '--data <json>', summary: 'the body as JSON, @file or - for standard input' },
    { flags: '-q, --query <name=value>', summary: 'a parameter; may be repeated', parse: collectPair('=') },
    { flags: '-H, --header <name:value>', summary: 'a header; may be repeated', parse: collectPair(':') },
    { flags: '-i, --include', summary: 'status and headers on stderr' },
  ],
  examples: [
    'milkrun api GET /api/v1/businesses/{id}/orders --query status=created',
    `milkrun api PATCH /api/v1/businesses/{id}/orders/o-1 --data '{"duration_seconds":900}' --header 'If-Match: "3"'`,
  ],
  run: async (input, context) => (await import('./send-request.ts')).sendRequest(input, context),
}];

export type Pair = readonly [name: string, value: string];

function collectPair(separator: string) {
  return (text: string, previous: unknown): Pair[] => {
    const at = text.indexOf(separator);
    if (at < 1) throw new Error(`must look like name${separator}value`);
    return [...((previous as Pair[] | undefined) ?? []), [text.slice(0, at).trim(), text.slice(at + 1).trim()]];
  };
}
