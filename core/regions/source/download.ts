import { setTimeout as sleep } from 'node:timers/promises';
import { unavailableMap, unusableMap } from '../install-failure.ts';
import { bodyOf, httpGet, PassingTrouble, type HttpAddress, type Patience } from './http-get.ts';
import { noValidators, type PartFile, type Validators } from './part-file.ts';

export interface DownloadOptions {
  /** Open. */
  part: PartFile;
  /** What we have from there already: where it is still that, nothing is sent. */
  known: Validators | null;
  signal: AbortSignal;
  patience: Patience;
  onBytes: (done: number, total: number | null) => void;
}

/** So many tries in a row that bring nothing, and the server counts as gone. */
const barrenTriesMax = 5;
const dayMs = 24 * 3_600_000;

/** Fills the part with the map. A download that breaks off is taken up where it ended, if the map is still the same. */
export async function download(address: HttpAddress, { part, known, signal, patience, onBytes }: DownloadOptions): Promise<'unchanged' | 'downloaded'> {
  const givenUpAtMs = performance.now() + dayMs;
  for (let barrenTries = 0; ;) {
    const before = part.sizeBytes;
    try {
      return await tryOnce(address, { part, known, signal, patience, onBytes });
    } catch (error) {
      if (!(error instanceof PassingTrouble)) throw error;
      barrenTries = part.sizeBytes > before ? 0 : barrenTries + 1;
      if (barrenTries >= barrenTriesMax || performance.now() > givenUpAtMs) throw unavailableMap(`The download of ${address.shown} was given up: ${error.message}. Try again later.`, error);
      await sleep(patience.retryMs * 2 ** barrenTries, undefined, { signal });
    }
  }
}

async function tryOnce(address: HttpAddress, { part, known, signal, patience, onBytes }: DownloadOptions): Promise<'unchanged' | 'downloaded'> {
  const answer = await httpGet(address, { headers: requestHeaders(part, known), signal, patience });
  const isPart = answer.status === 206 && rangeStart(answer) === part.sizeBytes;
  if (answer.status === 304) return 'unchanged';
  // We had the whole of it, and were stopped before we knew.
  if (answer.status === 416 && part.sizeBytes > 0 && answer.headers.get('content-range') === `bytes */${part.sizeBytes}`) return 'downloaded';
  if (answer.status !== 200 && !isPart) {
    await answer.body?.cancel();
    // What we have is as long as the map or longer, so it is not its beginning.
    if (answer.status === 416 || answer.status === 206) await part.restart(noValidators);
    throw refusal(answer.status, address);
  }
  refuseWebsite(answer, address);
  if (!isPart) await part.restart(validatorsOf(answer));
  const length = lengthOf(answer);
  const total = length === null ? null : part.sizeBytes + length;
  await part.makeRoom(length ?? 0);
  onBytes(part.sizeBytes, total);
  let isJudged = part.sizeBytes > 0;
  for await (const chunk of bodyOf(answer, { signal, patience })) {
    await part.write(chunk);
    if (!isJudged && part.sizeBytes >= startBytes) {
      await judgeStart(part, address.shown);
      isJudged = true;
    }
    onBytes(part.sizeBytes, total);
  }
  if (total !== null && part.sizeBytes !== total) throw new PassingTrouble(`the map server sent ${part.sizeBytes} of ${total} bytes`);
  await judgeStart(part, address.shown);
  return 'downloaded';
}

/** What is no map is not kept to be taken up again. */
async function judgeStart(part: PartFile, shown: string): Promise<void> {
  try {
    refuseOtherFiles(await part.firstBytes(startBytes), shown);
  } catch (error) {
    await part.restart(noValidators);
    throw error;
  }
}

/** The rest of what we have begun, provided that it is the same; or the whole, unless we have it. */
function requestHeaders({ sizeBytes, validators }: PartFile, known: Validators | null): Record<string, string> {
  // Only a strong ETag stands for the very same bytes.
  const condition = validators.etag && !validators.etag.startsWith('W/') ? validators.etag : validators.lastModified;
  if (sizeBytes > 0 && condition) return { range: `bytes=${sizeBytes}-`, 'if-range': condition };
  if (known?.etag) return { 'if-none-match': known.etag };
  return known?.lastModified ? { 'if-modified-since': known.lastModified } : {};
}

const validatorsOf = ({ headers }: Response): Validators => ({ etag: headers.get('etag'), lastModified: headers.get('last-modified') });

function lengthOf({ headers }: Response): number | null {
  const length = headers.get('content-length');
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

function rangeStart({ headers }: Response): number | null {
  const start = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1];
  return start === undefined ? null : Number(start);
}

function refusal(status: number, { shown }: HttpAddress): Error {
  if (status === 404 || status === 410) return unavailableMap(`The map server has no map at ${shown} (${status}). Check MILKRUN_MAP_SOURCE and the id of the region.`);
  if (status === 401 || status === 403 || status === 407) return unavailableMap(`The map server does not let us have ${shown} (${status}). Check the credentials in MILKRUN_MAP_SOURCE.`);
  if (status === 206 || status === 408 || status === 416 || status === 425 || status === 429 || status >= 500) return new PassingTrouble(`the map server answered ${status}`);
  return unavailableMap(`The map server answered ${status} for ${shown}.`);
}

function refuseWebsite({ headers }: Response, { shown }: HttpAddress): void {
  const type = headers.get('content-type') ?? '';
  if (/^text\/html|^application\/(xhtml|json)/i.test(type)) throw unavailableMap(`At ${shown} there is no map but a page of a website (${type}). Check MILKRUN_MAP_SOURCE and the id of the region.`);
}

const startBytes = 15;

/** An .osm.pbf begins with the length of a small header, in which the first thing is the word OSMHeader. */
export function refuseOtherFiles(start: Buffer, shown: string): void {
  if (start.length === 0) throw unusableMap(`The map at ${shown} is empty.`);
  const isMap = start.length === startBytes && start.readUInt32BE(0) <= 65_536 && start.subarray(4).equals(Buffer.from('\n\tOSMHeader'));
  if (!isMap) throw unusableMap(`What is at ${shown} is no .osm.pbf file: it begins with ${JSON.stringify(start.toString('latin1'))}.`);
}
