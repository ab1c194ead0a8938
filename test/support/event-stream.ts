import type { Client } from './client.ts';

export interface StreamedEvent {
  id: number;
  type: string;
  data: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

/** All events of a stream, until the server ends it or `until` is satisfied with one. */
export async function readEvents(client: Client, path: string, { lastEventId, until = () => false }: { lastEventId?: number; until?: (event: StreamedEvent) => boolean } = {}): Promise<StreamedEvent[]> {
  const leaving = new AbortController();
  const response = await fetch(client.url + path, {
    headers: { authorization: `Bearer ${client.token}`, ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }) },
    signal: leaving.signal,
  });
  if (response.status !== 200 || !response.headers.get('content-type')?.startsWith('text/event-stream')) throw new Error(`answered ${response.status} ${response.headers.get('content-type')}`);
  const events: StreamedEvent[] = [];
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks.filter((each) => !each.startsWith(':'))) {
      const field = (name: string) => block.split('\n').find((line) => line.startsWith(`${name}: `))!.slice(name.length + 2);
      events.push({ id: Number(field('id')), type: field('event'), data: JSON.parse(field('data')) });
    }
    if (events.some(until)) {
      leaving.abort();
      break;
    }
  }
  return events;
}
