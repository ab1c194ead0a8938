import { CommandFailure, ServiceError } from './failures.ts';
import { visible } from './display-width.ts';

/** What is written to stderr when a command fails: the message, every detail, and what to do next. */
export function reportFailure(error: unknown): string {
  if (error instanceof CommandFailure) return lines(error.message, [], error.hint);
  if (error instanceof ServiceError) return lines(error.message, detailsOf(error), hintFor(error));
  // Anything else is a bug of ours, and its whole story helps whoever reports it.
  return `milkrun: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
}

function lines(message: string, details: string[], hint: string | undefined): string {
  return [`milkrun: ${visible(message)}`, ...details.map((detail) => `  ${visible(detail)}`), ...(hint ? [`next: ${hint}`] : []), ''].join('\n');
}

/** The first detail is the message already. */
function detailsOf({ details, status, requestId, message }: ServiceError): string[] {
  const all = details.map((detail) => (detail.path === '' ? detail.message : `${detail.path} ${detail.message}`));
  return [...all.filter((detail) => detail !== message), ...(status >= 500 && requestId ? [`request id ${requestId}`] : [])];
}

function hintFor({ status, details, code }: ServiceError): string | undefined {
  if (status === 401) return 'sign in with: milkrun sign-in --email <address> (a driver with: milkrun drivers sign-in --code <code>); or give another --token';
  const isStale = status === 412 || (status === 409 && details.some(({ path }) => path.endsWith('/revision')));
  if (isStale) return 'somebody else was faster: read it again with get, look at what changed, and repeat with the new --revision';
  if (status === 429) return 'wait a little and repeat';
  if (status === 503 && code === 'unavailable') return 'what is missing is told by: milkrun doctor';
  return undefined;
}
