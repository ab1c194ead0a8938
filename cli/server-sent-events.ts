export interface ServerSentEvent {
  id: string;
  type: string;
  data: string;
}

/** Reads a stream of server-sent events as the HTML standard describes it; comments keep the line open and say nothing. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let id = '';
  let type = '';
  let data: string[] = [];
  for await (const line of splitLines(chunks)) {
    if (line === '') {
      if (data.length > 0) yield { id, type: type || 'message', data: data.join('\n') };
      type = '';
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    if (field === 'event') type = value;
    if (field === 'id' && !value.includes('\0')) id = value;
  }
}

/** Lines end in LF, CRLF or CR; what stands after the last end is not a line yet. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    // A CR at the very end may be half of a CRLF.
    const end = rest.endsWith('\r') ? rest.length - 1 : rest.length;
    const lines = rest.slice(0, end).split(/\r\n|\n|\r/);
    rest = lines.pop()! + rest.slice(end);
    yield* lines;
  }
  if (rest.endsWith('\r')) yield rest.slice(0, -1);
}
