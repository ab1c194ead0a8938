import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { megabytes, unavailableMap } from '../install-failure.ts';
import { download, refuseOtherFiles } from './download.ts';
import { bodyOf, httpGet, PassingTrouble, type HttpAddress, type Patience } from './http-get.ts';
import type { MapAddress } from './map-address.ts';
import { largestPart, PartFile, writeAtomically, type Validators } from './part-file.ts';
import { checksumFiles, checksumsOf, parseChecksum, type Checksum } from './published-checksum.ts';

/** A map as it came from its source. */
export interface MapExtract extends Validators {
  shown: string;
  sha256: string;
  sizeBytes: number;
}

export interface ObtainOptions {
  /** Of all sources. */
  folder: string;
  /** Of this attempt at this job: what it writes under this name is its own. */
  attemptName: string;
  /** Whether the map with this checksum needs no bytes, because its roads are installed. */
  isInstalled: (sha256: string) => boolean;
  signal: AbortSignal;
  patience: Patience;
  onBytes: (done: number, total: number | null) => void;
  onPhase: (phase: 'download' | 'checksum') => void;
}

/**
 * The present map at an address, and its file; `path` is null where nothing has changed and nobody needs the bytes. Maps stay here by
 * address and content, so that several regions from one map fetch it once. One after the other for one address: `inTurn`.
 */
export async function obtainExtract(address: MapAddress, options: ObtainOptions): Promise<{ extract: MapExtract; path: string | null }> {
  const folder = join(options.folder, createHash('sha256').update(address.kind === 'http' ? address.url : address.path).digest('hex').slice(0, 24));
  await mkdir(folder, { recursive: true });
  const known = await readRecord(folder);
  const stored = known === null ? null : join(folder, `${known.sha256}.osm.pbf`);
  const isStored = stored !== null && (await sizeOf(stored)) === known!.sizeBytes;
  const usable = known !== null && (isStored || options.isInstalled(known.sha256)) ? known : null;
  const asKnown = async () => {
    if (isStored) await utimes(stored, new Date(), new Date());
    return { extract: known!, path: isStored ? stored : null };
  };

  const part = new PartFile(join(folder, `${options.attemptName}.part`));
  try {
    const came = address.kind === 'http' ? await fromServer(address, { ...options, part, known: usable, leftOver: await largestPart(folder) }) : await fromDisk(address.path, { ...options, part, known: usable });
    if (came === 'unchanged') {
      await part.remove();
      return await asKnown();
    }
    const target = join(folder, `${came.sha256}.osm.pbf`);
    await rename(part.path, target);
    await part.remove();
    await writeAtomically(recordPath(folder), JSON.stringify(came));
    return { extract: came, path: target };
  } finally {
    // A download that broke off stays, for the next attempt to take up.
    if (address.kind === 'http' && part.sizeBytes > 0) await part.close();
    else await part.remove();
  }
}

/** What attempts at a job have left of downloads, where nobody will take them up. */
export async function removeParts(folder: string, jobId: string): Promise<void> {
  for (const address of await readdir(folder).catch(() => [] as string[])) {
    for (const name of await readdir(join(folder, address)).catch(() => [] as string[])) if (name.startsWith(`${jobId}.`)) await rm(join(folder, address, name), { force: true });
  }
}

interface Record extends MapExtract {
  /** What the source published about it. */
  published: Checksum | null;
}

const recordPath = (folder: string): string => join(folder, 'map.json');

async function readRecord(folder: string): Promise<Record | null> {
  try {
    return JSON.parse(await readFile(recordPath(folder), 'utf8')) as Record;
  } catch {
    return null;
  }
}

const sizeOf = async (path: string): Promise<number | null> => (await stat(path).catch(() => null))?.size ?? null;

interface Fetching extends ObtainOptions {
  part: PartFile;
  known: Record | null;
}

async function fromServer(address: HttpAddress, { part, known, leftOver, ...options }: Fetching & { leftOver: string | null }): Promise<Record | 'unchanged'> {
  const published = await publishedChecksum(address, options);
  const isSilent = known !== null && known.etag === null && known.lastModified === null;
  if (isSilent && published !== null && published.hex === known.published?.hex) return 'unchanged';
  await part.open(leftOver);
  options.onPhase('download');
  if ((await download(address, { ...options, part, known })) === 'unchanged') return 'unchanged';
  await part.finish();
  options.onPhase('checksum');
  const checksums = await checksumsOf(part.path, options.signal);
  const confirmed = await confirm(address, checksums, published, options);
  if (!confirmed.isRight) {
    const { sizeBytes } = part;
    await part.remove();
    throw unavailableMap(`The map from ${address.shown} is damaged: the ${confirmed.published.algorithm} of the ${megabytes(sizeBytes)} that came is ${checksums[confirmed.published.algorithm]}, and the source says ${confirmed.published.hex}. It may be being replaced just now; try again later.`);
  }
  return { shown: address.shown, sha256: checksums.sha256, sizeBytes: part.sizeBytes, ...part.validators, published: confirmed.published };
}

type Confirmed = { isRight: true; published: Checksum | null } | { isRight: false; published: Checksum };

/** A checksum that does not fit is asked for once more: the map may have been replaced between the two. */
async function confirm(address: HttpAddress, checksums: { sha256: string; md5: string }, before: Checksum | null, options: Pick<ObtainOptions, 'signal' | 'patience'>): Promise<Confirmed> {
  if (before === null || checksums[before.algorithm] === before.hex) return { isRight: true, published: before };
  const now = await publishedChecksum(address, options);
  return now === null || checksums[now.algorithm] === now.hex ? { isRight: true, published: now } : { isRight: false, published: now };
}

/** What lies beside the map; null where a source publishes none. */
async function publishedChecksum(address: HttpAddress, { signal, patience }: Pick<ObtainOptions, 'signal' | 'patience'>): Promise<Checksum | null> {
  for (const file of checksumFiles) {
    const url = new URL(address.url);
    url.pathname += file.suffix;
    try {
      const answer = await httpGet({ ...address, url: url.href }, { signal, patience });
      if (answer.status !== 200) {
        await answer.body?.cancel();
        continue;
      }
      const checksum = parseChecksum(await shortText(answer, { signal, patience }), file);
      if (checksum !== null) return checksum;
    } catch (error) {
      // Whether the server is away is found out by asking for the map.
      if (!(error instanceof PassingTrouble)) throw error;
      return null;
    }
  }
  return null;
}

async function shortText(answer: Response, options: Pick<ObtainOptions, 'signal' | 'patience'>): Promise<string> {
  let text = '';
  for await (const chunk of bodyOf(answer, options)) {
    text += Buffer.from(chunk).toString('latin1');
    if (text.length > 4_096) break;
  }
  return text;
}

/** A file is copied, because it may be replaced while roads are built from it. */
async function fromDisk(path: string, { part, known, signal, onPhase, onBytes }: Fetching): Promise<Record | 'unchanged'> {
  for (let tries = 0; tries < 3; tries++) {
    const before = await identityOf(path);
    if (known?.etag === before.etag) return 'unchanged';
    onPhase('download');
    await part.open(null);
    await part.makeRoom(before.sizeBytes);
    await copyInto(part, path, { signal, onBytes: (done) => onBytes(done, before.sizeBytes) });
    if ((await identityOf(path)).etag !== before.etag) continue;
    refuseOtherFiles(await part.firstBytes(15), path);
    onPhase('checksum');
    const checksums = await checksumsOf(part.path, signal);
    const published = await checksumBeside(path);
    if (published !== null && checksums[published.algorithm] !== published.hex) {
      throw unavailableMap(`The map ${path} is damaged: its ${published.algorithm} is ${checksums[published.algorithm]}, and the file beside it says ${published.hex}.`);
    }
    return { shown: path, sha256: checksums.sha256, sizeBytes: before.sizeBytes, etag: before.etag, lastModified: null, published };
  }
  throw unavailableMap(`The map ${path} changes while it is read. Put a new map in its place in one step: write it under another name and rename it.`);
}

async function identityOf(path: string): Promise<{ etag: string; sizeBytes: number }> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) throw unavailableMap(`There is no file ${path} any more, which MILKRUN_MAP_SOURCE names.`);
  return { etag: `${found.size}-${found.mtimeMs}-${found.ino}`, sizeBytes: found.size };
}

async function copyInto(part: PartFile, from: string, { signal, onBytes }: { signal: AbortSignal; onBytes: (done: number) => void }): Promise<void> {
  const chunks = createReadStream(from, { highWaterMark: 1 << 20, signal });
  try {
    for await (const chunk of chunks) {
      await part.write(chunk as Buffer);
      onBytes(part.sizeBytes);
    }
  } catch (error) {
    if (['EACCES', 'EPERM', 'EISDIR', 'EIO'].includes((error as { code?: string }).code ?? '')) throw unavailableMap(`The map ${from} can not be read: ${(error as Error).message}`, error);
    throw error;
  }
  await part.finish();
}

async function checksumBeside(path: string): Promise<Checksum | null> {
  for (const file of checksumFiles) {
    const text = await readFile(path + file.suffix, 'latin1').catch(() => '');
    const checksum = parseChecksum(text.slice(0, 4_096), file);
    if (checksum !== null) return checksum;
  }
  return null;
}
