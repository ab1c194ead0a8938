import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const refusals: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'the path and the headers are longer than 16 KiB' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request took too long to arrive' },
};

/** What is no HTTP request never gets to the application; its sender reads the same kind of answer all the same. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = refusals[error.code ?? ''] ?? { status: 400, message: 'this is not an HTTP request' };
  const body = JSON.stringify({ error: { code: 'validation', message } });
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
}

/** The one expectation that there is, `100-continue`, is met by Node before anybody asks (RFC 9110, section 10.1.1). */
export function refuseExpectation({ headers }: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ error: { code: 'validation', message: `nothing but 100-continue can be expected, not ${JSON.stringify(headers.expect)}` } });
  response.writeHead(417, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), Connection: 'close' }).end(body);
}
