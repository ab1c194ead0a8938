import { Readable } from 'node:stream';
import type { Context } from 'koa';

/** Sends server-sent events as they come. */
export function sendEvents(context: Context, events: AsyncIterable<string>): void {
  context.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' });
  context.body = Readable.from(events);
  context.flushHeaders();
}

export const eventText = (event: { id: number; type: string; data: unknown }): string => `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
export const heartbeatText = ': still here\n\n';
