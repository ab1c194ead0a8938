/** The installation can not go on, for a reason that somebody can do something about. `message` is what the region shows as its error. */
export class InstallFailure extends Error {
  /** Of the job: whether the request can not be met as it is, or something that is needed is away. */
  readonly code: 'validation' | 'unavailable';

  constructor(code: InstallFailure['code'], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'InstallFailure';
    this.code = code;
  }
}

export const unavailableMap = (message: string, cause?: unknown) => new InstallFailure('unavailable', message, { cause });
export const unusableMap = (message: string, cause?: unknown) => new InstallFailure('validation', message, { cause });

/** Megabytes of a million bytes, as operators see them elsewhere. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`;

export function diskFull(directory: string, { neededBytes, freeBytes }: { neededBytes?: number; freeBytes?: number } = {}): InstallFailure {
  const need = neededBytes === undefined ? '' : `: ${megabytes(neededBytes)} are needed${freeBytes === undefined ? '' : `, and ${megabytes(freeBytes)} are free`}`;
  return unavailableMap(`The disk of ${directory} is full${need}. Free some space, then install again.`);
}

const fullCodes = ['ENOSPC', 'EDQUOT'];

/** The same error, or the operator's words for it where the disk is full. */
export const asDiskFull = (error: unknown, directory: string): unknown => (fullCodes.includes((error as { code?: string }).code ?? '') ? diskFull(directory) : error);
