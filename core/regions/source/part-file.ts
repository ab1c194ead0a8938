import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asDiskFull, diskFull } from '../install-failure.ts';

/** What a server calls the bytes that it sends: with it a download is taken up again only where it is still the same. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export const noValidators: Validators = { etag: null, lastModified: null };

/** Left over, so that the machine goes on when a download has filled the disk. */
const reserveBytes = 64 * 1024 * 1024;
const checkEveryBytes = 64 * 1024 * 1024;

export async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/**
 * A download on its way. Its name is that of one attempt at one job, so nobody else writes to it: who takes up what an earlier attempt has
 * left takes a copy, for that attempt may only be thought dead.
 */
export class PartFile {
  readonly path: string;
  #file: FileHandle | null = null;
  #sizeBytes = 0;
  #uncheckedBytes = 0;
  #validators: Validators = noValidators;

  constructor(path: string) {
    this.path = path;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }
  /** Of what the bytes so far belong to. */
  get validators(): Validators {
    return this.#validators;
  }

  /** Begins with what another attempt left, where that is known to be the beginning of something. */
  async open(leftOver: string | null): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    await rm(this.path, { force: true });
    const validators = leftOver === null ? null : await readValidators(leftOver);
    if (leftOver !== null && validators !== null) {
      await copyFile(leftOver, this.path, constants.COPYFILE_FICLONE).catch((error: unknown) => { throw asDiskFull(error, dirname(this.path)); });
      await this.#noteValidators(validators);
    }
    this.#file = await open(this.path, 'a');
    this.#sizeBytes = (await this.#file.stat()).size;
  }

  /** Throws away what there is: what comes now begins at the beginning. */
  async restart(validators: Validators): Promise<void> {
    await this.#file!.truncate(0);
    this.#sizeBytes = 0;
    await this.#noteValidators(validators);
  }

  /** Refuses what will not fit, before any of it is written. */
  async makeRoom(bytes: number): Promise<void> {
    const freeBytes = await freeBytesOf(dirname(this.path));
    if (freeBytes < bytes + reserveBytes) throw diskFull(dirname(this.path), { neededBytes: bytes + reserveBytes, freeBytes });
    this.#uncheckedBytes = 0;
  }

  async write(chunk: Uint8Array): Promise<void> {
    try {
      this.#uncheckedBytes += chunk.length;
      if (this.#uncheckedBytes > checkEveryBytes) await this.makeRoom(checkEveryBytes);
      await this.#file!.appendFile(chunk);
      this.#sizeBytes += chunk.length;
    } catch (error) {
      throw asDiskFull(error, dirname(this.path));
    }
  }

  async firstBytes(count: number): Promise<Buffer> {
    const file = await open(this.path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  /** On the disk, and closed. */
  async finish(): Promise<void> {
    try {
      await this.#file?.sync();
    } catch (error) {
      throw asDiskFull(error, dirname(this.path));
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }

  async remove(): Promise<void> {
    await this.close();
    this.#sizeBytes = 0;
    await rm(this.path, { force: true });
    await rm(notePath(this.path), { force: true });
  }

  async #noteValidators(validators: Validators): Promise<void> {
    this.#validators = validators;
    await writeAtomically(notePath(this.path), JSON.stringify(validators));
  }
}

const notePath = (part: string): string => `${part}.json`;

async function readValidators(part: string): Promise<Validators | null> {
  try {
    return JSON.parse(await readFile(notePath(part), 'utf8')) as Validators;
  } catch {
    return null;
  }
}

export async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.new`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw asDiskFull(error, dirname(path));
  }
}

/** The largest of the parts in a folder. */
export async function largestPart(folder: string): Promise<string | null> {
  const parts: { path: string; size: number }[] = [];
  for (const name of await readdir(folder).catch(() => [] as string[])) {
    const found = name.endsWith('.part') ? await stat(join(folder, name)).catch(() => null) : null;
    if (found && found.size > 0) parts.push({ path: join(folder, name), size: found.size });
  }
  return parts.sort((a, b) => b.size - a.size)[0]?.path ?? null;
}
