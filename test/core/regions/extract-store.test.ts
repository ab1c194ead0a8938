import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { InstallFailure } from '../../../core/regions/install-failure.ts';
import { obtainExtract, removeParts, type ObtainOptions } from '../../../core/regions/source/extract-store.ts';
import { mapAddress } from '../../../core/regions/source/map-address.ts';
import { bytesLikeAMap, digest, etagOf, type sendMap, startMapServer, type MapServer } from '../../support/map-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let maps: MapServer;
let folder: string;
beforeAll(async () => { maps = await startMapServer(); });
afterAll(() => maps.close());
beforeEach(() => {
  Object.assign(maps, { seen: [], on: {}, tells: { etag: true, lastModified: true, sha256: false, md5: false } });
  folder = temporaryFolder();
});

const malta = bytesLikeAMap(300_000);
const newer = bytesLikeAMap(310_000, 2);
const path = '/malta.osm.pbf';
const impatient = { answerMs: 300, silenceMs: 300, retryMs: 1 };
let bytesSeen: [number, number | null][] = [];
const options = (more: Partial<ObtainOptions> = {}): ObtainOptions => ({
  folder, attemptName: 'job.1', isInstalled: () => false, signal: new AbortController().signal, patience: impatient,
  onBytes: (done, total) => bytesSeen.push([done, total]), onPhase: () => {}, ...more,
});
const obtain = async (more: Partial<ObtainOptions> = {}, source = `${maps.url}/{region}.osm.pbf`) => obtainExtract(await mapAddress(source, { id: 'malta', name: 'Malta' }), options(more));
const failureOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(() => { throw new Error('it went well'); }, (thrown: unknown) => thrown);
  if (!(error instanceof InstallFailure)) throw error;
  return error.message;
};
/** Requests for the map itself. */
const asked = () => maps.seen.filter((seen) => seen.path === path);
const files = () => (readdirSync(folder, { recursive: true }) as string[]).filter((name) => !name.endsWith('.json') && statSync(join(folder, name)).isFile()).map((name) => name.split('/').at(-1)!);
/** A server that breaks off after so many bytes of the rest. */
const breaksOffAfter = (count: number, bytes = malta) => (request: Parameters<typeof sendMap>[2], response: Parameters<typeof sendMap>[3]) => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const head = { etag: etagOf(bytes), 'content-length': bytes.length - from };
  response.writeHead(from > 0 ? 206 : 200, from > 0 ? { ...head, 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : head);
  response.write(bytes.subarray(from, from + count));
  // Only what has been written to the disk can be gone on with.
  const watching = setInterval(() => {
    if (partBytes() <= from) return;
    clearInterval(watching);
    response.destroy();
  }, 1);
};
const partBytes = () => Math.max(0, ...(readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.part')).map((name) => statSync(join(folder, name)).size));

describe('from a server', () => {
  test('a map comes whole, and is kept by its content', async () => {
    maps.on[path] = malta;
    bytesSeen = [];
    const { extract, path: file } = await obtain();
    expect(readFileSync(file!).equals(malta)).toBe(true);
    expect(extract).toMatchObject({ shown: maps.url + path, sha256: digest('sha256', malta), sizeBytes: malta.length, etag: etagOf(malta) });
    expect(bytesSeen[0]).toEqual([0, malta.length]);
    expect(bytesSeen.at(-1)).toEqual([malta.length, malta.length]);
    expect(files()).toEqual([`${extract.sha256}.osm.pbf`]);
  });

  test.each([['ETag', { etag: true, lastModified: false }], ['date', { etag: false, lastModified: true }], ['published checksum', { etag: false, lastModified: false, sha256: true }]])('one that has not changed by its %s is not sent again', async (_what, tells) => {
    Object.assign(maps.tells, { etag: false, lastModified: false }, tells);
    maps.on[path] = malta;
    const first = await obtain();
    bytesSeen = [];
    expect(await obtain({ attemptName: 'other.1' })).toMatchObject({ path: first.path, extract: { sha256: first.extract.sha256 } });
    expect(bytesSeen).toEqual([]);
    maps.on[path] = newer;
    expect((await obtain({ attemptName: 'third.1' })).extract.sha256).toBe(digest('sha256', newer));
  });

  test('without any of these it is sent again, and its own checksum tells that it is the same', async () => {
    maps.tells = { etag: false, lastModified: false, sha256: false, md5: false };
    maps.on[path] = malta;
    const first = await obtain();
    expect((await obtain({ attemptName: 'other.1' })).extract.sha256).toBe(first.extract.sha256);
    expect(asked()).toHaveLength(2);
  });

  test('the bytes are asked for where they have gone, unless nobody needs them', async () => {
    maps.on[path] = malta;
    const { path: file, extract } = await obtain();
    rmSync(file!);
    expect(await obtain({ attemptName: 'other.1', isInstalled: (sha256) => sha256 === extract.sha256 })).toEqual({ extract: expect.objectContaining({ sha256: extract.sha256 }), path: null });
    expect((await obtain({ attemptName: 'third.1' })).path).toBe(file);
    expect(asked().map((seen) => seen.ifNoneMatch)).toEqual([undefined, extract.etag, undefined]);
  });

  test('a download that breaks off goes on where it ended', async () => {
    maps.on[path] = (request, response) => {
      if (asked().length === 4) maps.on[path] = malta;
      breaksOffAfter(80_000)(request, response);
    };
    const { extract } = await obtain();
    expect(extract.sha256).toBe(digest('sha256', malta));
    const starts = asked().map(({ range }) => Number(range?.slice(6, -1) ?? 0));
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(starts.at(-1)).toBeGreaterThan(0);
    expect(asked().at(-1)!.ifRange).toBe(etagOf(malta));
  });

  test('a map that was replaced meanwhile begins anew', async () => {
    maps.on[path] = (request, response) => {
      maps.on[path] = newer;
      breaksOffAfter(120_000)(request, response);
    };
    expect((await obtain()).extract.sha256).toBe(digest('sha256', newer));
    expect(asked().at(-1)!.range).toMatch(/^bytes=\d+-$/);
  });

  test('one that was complete when the worker died is not sent again', async () => {
    maps.on[path] = malta;
    await leaveBehind('dead.1', malta.length);
    maps.seen = [];
    expect((await obtain({ attemptName: 'dead.2' })).extract.sha256).toBe(digest('sha256', malta));
    expect(asked()).toMatchObject([{ range: `bytes=${malta.length}-` }]);
  });
});

/** As a worker leaves it that is killed in the middle. */
async function leaveBehind(attemptName: string, bytes: number): Promise<void> {
  maps.on[path] = malta;
  const first = await obtain({ attemptName: 'whole.1' });
  const target = first.path!.replace(/[^/]+$/, `${attemptName}.part`);
  writeFileSync(target, malta.subarray(0, bytes));
  writeFileSync(`${target}.json`, JSON.stringify({ etag: etagOf(malta), lastModified: null }));
  rmSync(first.path!);
}

describe('after a death', () => {
  test('the next attempt takes the rest only', async () => {
    await leaveBehind('job.1', 200_000);
    maps.seen = [];
    const { extract } = await obtain({ attemptName: 'job.2' });
    expect(extract.sha256).toBe(digest('sha256', malta));
    expect(asked()).toMatchObject([{ range: 'bytes=200000-', ifRange: etagOf(malta) }]);
  });

  test('what nobody will take up can be removed', async () => {
    await leaveBehind('job.1', 200_000);
    await leaveBehind('other.1', 1_000);
    await removeParts(folder, 'job');
    expect(files().filter((name) => name.endsWith('.part'))).toEqual(['other.1.part']);
  });
});

describe('a bad server', () => {
  const page = (type: string, body: string, status = 200): MapServer['on'][string] => (_request, response) => void response.writeHead(status, { 'content-type': type }).end(body);

  test.each<[string, () => void, RegExp]>([
    ['has no map', () => {}, /^The map server has no map at http:\/\/127.*malta\.osm\.pbf \(404\)/],
    ['lets nobody in', () => { maps.on[path] = page('text/plain', 'no', 403); }, /does not let us have .* \(403\)/],
    ['answers something odd', () => { maps.on[path] = page('text/plain', 'tea', 418); }, /answered 418/],
    ['is overloaded for long', () => { maps.on[path] = page('text/plain', 'later', 503); }, /was given up: the map server answered 503/],
    ['sends a page', () => { maps.on[path] = page('text/html; charset=utf-8', '<!DOCTYPE html>'); }, /no map but a page of a website/],
    ['sends a page and calls it a map', () => { maps.on[path] = page('application/octet-stream', '<!DOCTYPE html><html>'.repeat(9)); }, /is no \.osm\.pbf file: it begins with "<!DOCTYPE html>"/],
    ['sends nothing', () => { maps.on[path] = page('application/octet-stream', ''); }, /is empty/],
    ['sends three bytes', () => { maps.on[path] = page('application/octet-stream', 'abc'); }, /is no \.osm\.pbf file/],
    ['never answers', () => { maps.on[path] = () => {}; }, /was given up: 127\.0\.0\.1:\d+ did not answer within 0\.3 seconds/],
    ['falls silent', () => { maps.on[path] = (_request, response) => { response.writeHead(200, { 'content-length': 1_000 }); response.write(malta.subarray(0, 20)); }; }, /was given up: the map server sent nothing for 0\.3 seconds/],
    ['always breaks off', () => { maps.on[path] = (_request, response) => { response.writeHead(200, { 'content-length': malta.length }); response.write(malta.subarray(0, 50), () => response.destroy()); }; }, /was given up: the map server broke the download off/],
    ['goes round in circles', () => { maps.on[path] = (_request, response) => void response.writeHead(302, { location: path }).end(); }, /redirects more than 5 times/],
    ['leads somewhere else', () => { maps.on[path] = (_request, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(); }, /redirects to no address that can be followed/],
    ['publishes another checksum', () => { maps.on[path] = malta; maps.on[`${path}.md5`] = page('text/plain', `${'0'.repeat(32)}  malta.osm.pbf\n`); }, /is damaged: the md5 of the 0\.3 MB that came is [0-9a-f]{32}, and the source says 0{32}/],
    ['says that more is free than there is', () => { maps.on[path] = (_request, response) => { response.writeHead(200, { 'content-length': 9e14 }); response.write(malta); }; }, /^The disk of .* is full: 900000067 MB are needed, and \d+ MB are free/],
  ])('that %s is told as it is, and leaves nothing behind', async (_what, prepare, message) => {
    prepare();
    expect(await failureOf(obtain())).toMatch(message);
    const left = files();
    // What came of a map may be taken up again.
    expect(left.every((name) => name.endsWith('.part'))).toBe(true);
  });

  test('that is not there', async () => {
    const gone = await startMapServer();
    await gone.close();
    expect(await failureOf(obtain({}, `${gone.url}/{region}.osm.pbf`))).toContain('could not be reached: it refuses connections');
    expect(await failureOf(obtain({}, 'http://maps.invalid/{region}.osm.pbf'))).toMatch(/could not be reached: (there is no such host|its name could not be looked up)/);
  });

  test('whose website answers for checksums too publishes none', async () => {
    maps.on[path] = malta;
    for (const suffix of ['.sha256', '.md5']) maps.on[path + suffix] = page('text/html', '<!DOCTYPE html>');
    expect((await obtain()).extract.sha256).toBe(digest('sha256', malta));
  });

  test('that replaces the map between checksum and map is asked once more', async () => {
    maps.on[path] = malta;
    let asks = 0;
    maps.on[`${path}.sha256`] = (_request, response) => void response.end(asks++ === 0 ? digest('sha256', newer) : digest('sha256', malta));
    expect((await obtain()).extract.sha256).toBe(digest('sha256', malta));
    expect(asks).toBe(2);
  });
});

test('redirects are followed, and credentials stay at home', async () => {
  const elsewhere = await startMapServer();
  elsewhere.on['/real.osm.pbf'] = malta;
  maps.on[path] = (_request, response) => void response.writeHead(302, { location: `${elsewhere.url.replace('127.0.0.1', 'localhost')}/real.osm.pbf` }).end();
  try {
    const { extract } = await obtain({}, `${maps.url.replace('//', '//user:s%40cret@')}/{region}.osm.pbf?key=hidden`.replace('?key=hidden', ''));
    expect(extract).toMatchObject({ sha256: digest('sha256', malta), shown: maps.url + path });
    expect([asked()[0].authorization, elsewhere.seen[0].authorization]).toEqual([`Basic ${Buffer.from('user:s@cret').toString('base64')}`, undefined]);
  } finally {
    await elsewhere.close();
  }
});

test('a download ends at once when it is not wanted any more', async () => {
  const stop = new AbortController();
  maps.on[path] = (_request, response) => {
    response.writeHead(200, { 'content-length': malta.length });
    response.write(malta.subarray(0, 50_000), () => stop.abort(new Error('cancelled')));
  };
  await expect(obtain({ signal: stop.signal, patience: { answerMs: 60_000, silenceMs: 60_000, retryMs: 60_000 } })).rejects.toThrow('cancelled');
});

describe('from the disk', () => {
  const file = () => join(folder, '..', `${folder.split('/').at(-1)}-maps.osm.pbf`);
  const put = (bytes: Buffer) => { writeFileSync(`${file()}.new`, bytes); renameSync(`${file()}.new`, file()); };

  test('a file is copied, and not again while it stays the same', async () => {
    put(malta);
    const first = await obtain({}, file());
    expect(first.extract).toMatchObject({ shown: file(), sha256: digest('sha256', malta) });
    bytesSeen = [];
    expect((await obtain({ attemptName: 'other.1' }, file())).path).toBe(first.path);
    expect(bytesSeen).toEqual([]);
    put(newer);
    expect((await obtain({ attemptName: 'third.1' }, file())).extract.sha256).toBe(digest('sha256', newer));
  });

  test('a file with another date and the same content is the same map', async () => {
    put(malta);
    const first = await obtain({}, file());
    utimesSync(file(), new Date(0), new Date(0));
    expect((await obtain({ attemptName: 'other.1' }, file())).extract.sha256).toBe(first.extract.sha256);
  });

  test('a checksum beside it counts', async () => {
    put(malta);
    writeFileSync(`${file()}.sha256`, `${digest('sha256', newer)} *maps.osm.pbf`);
    expect(await failureOf(obtain({}, file()))).toContain('the file beside it says');
    expect(files()).toEqual([]);
  });

  test('what is no map is told', async () => {
    put(Buffer.from('<!DOCTYPE html>'));
    expect(await failureOf(obtain({}, file()))).toContain('is no .osm.pbf file');
    put(Buffer.alloc(0));
    expect(await failureOf(obtain({}, file()))).toContain('is empty');
  });
});
