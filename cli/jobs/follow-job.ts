import { finalStatuses } from '../../core/jobs/schema.ts';
import { ConnectionError, type Client } from '../client.ts';
import type { Clock } from '../clock.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandFailure, isStatus, unreachable } from '../failures.ts';
import type { ServerSentEvent } from '../server-sent-events.ts';
import type { Job } from './job.ts';

interface FollowOptions {
  client: Client;
  clock: Clock;
  /** Path of the job. */
  path: string;
  signal?: AbortSignal;
}

const pauseMs = 500;
/** So many connections in a row that brought nothing, and the service counts as gone: about half a minute. */
const emptyRoundsMax = 60;

/**
 * The job each time that it changes; its final state is the last. A stream that breaks off is taken up again after the last event
 * that was seen. The job itself is read where a stream ends without telling how the job ended.
 */
export async function* followJob({ client, clock, path, signal }: FollowOptions): AsyncGenerator<Job> {
  let lastEventId: string | undefined;
  for (let emptyRounds = 0; emptyRounds < emptyRoundsMax; emptyRounds += 1) {
    try {
      for await (const event of client.events(`${path}/events`, { lastEventId, signal })) {
        const job = readJob(event);
        if (event.id !== '') lastEventId = event.id;
        if (!job) continue;
        emptyRounds = 0;
        yield job;
        if (isFinal(job)) return;
      }
      const job = await client.get<Job>(path);
      if (isFinal(job)) return yield job;
    } catch (error) {
      if (signal?.aborted) return;
      if (!isPassing(error)) throw error;
    }
    if (emptyRounds === emptyRoundsMax - 1) break;
    await clock.sleep(pauseMs, signal);
    if (signal?.aborted) return;
  }
  throw unreachable(client.url, 'the stream of events breaks off again and again');
}

export const isFinal = ({ status }: Pick<Job, 'status'>): boolean => finalStatuses.includes(status);

/** A lost connection or a service that restarts: the job goes on meanwhile. */
function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError || isStatus(error, 429, 500, 502, 503, 504)) return true;
  if (error instanceof CommandFailure) return error.exitCode === exitCodes.unavailable;
  // fetch tells of a stream that broke off by a TypeError with a cause; one of our own bugs has none.
  const { name, cause } = error as Partial<Error>;
  return name === 'TypeError' && cause !== undefined;
}

function readJob({ data }: ServerSentEvent): Job | null {
  try {
    const job = JSON.parse(data) as Job;
    return typeof job.status === 'string' ? job : null;
  } catch {
    return null;
  }
}
