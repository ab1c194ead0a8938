/** What can be wrong with Valhalla or what it works on. `message` is for the operator: what happened, and what to do. */
export type ValhallaErrorCode =
  /** It can not run on this machine. */
  | 'unavailable'
  /** Building: memory, disk, the map file, the roads in it, Valhalla itself, or tiles that answer nothing. */
  | 'memory' | 'disk_full' | 'bad_map' | 'no_roads' | 'build_failed' | 'unusable'
  /** Answering: no such tiles, no answer in time, the process gone again and again, a request that it refuses, or all over. */
  | 'no_tiles' | 'deadline' | 'crashed' | 'refused' | 'closed';

export class ValhallaError extends Error {
  readonly code: ValhallaErrorCode;
  /** The end of what Valhalla printed: for the log, not for a message. */
  readonly output: string;

  constructor(code: ValhallaErrorCode, message: string, { output = '', cause }: { output?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.name = 'ValhallaError';
    this.code = code;
    this.output = output;
  }
}
