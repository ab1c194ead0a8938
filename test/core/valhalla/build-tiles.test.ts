import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import type { BuildPhase } from '../../../core/valhalla/build-stages.ts';
import { buildTiles } from '../../../core/valhalla/build-tiles.ts';
import type { ValhallaErrorCode } from '../../../core/valhalla/error.ts';
import type { BuilderEnd, BuilderReport, BuilderTask } from '../../../core/valhalla/tile-builder.ts';
import { readTileRecord } from '../../../core/valhalla/tile-record.ts';
import { writeOsmFile } from '../../support/osm-files.ts';
import { osmTown } from '../../support/osm-town.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { isRunning } from './is-running.ts';
import { describeValhalla } from './town-tiles.ts';

const memoryLimitMb = 1000;
const townFile = () => writeOsmFile(osmTown());
const newDirectory = () => join(temporaryFolder(), 'tiles');

/** A disk of a few pages, where we may mount one. */
function mountSmallDisk(): string | null {
  const directory = temporaryFolder();
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', directory]).status === 0 ? directory : null;
}

const smallDisk = mountSmallDisk();
const testWithSmallDisk = smallDisk === null ? test.skip : test;
afterAll(() => { if (smallDisk !== null) spawnSync('umount', [smallDisk]); });

describeValhalla('a build', () => {
  test('puts tiles in their place, with what was counted, and nothing else beside them', async () => {
    const directory = newDirectory();
    const stages: [BuildPhase, number][] = [];
    const built = await buildTiles({ pbf: townFile(), directory, memoryLimitMb, onProgress: ({ phase, fraction }) => stages.push([phase, fraction]) });

    expect(built).toMatchObject({ ways: expect.any(Number), nodes: expect.any(Number), edges: expect.any(Number), tiles: expect.any(Number) });
    expect(built.ways).toBeGreaterThan(250);
    expect(built.edges).toBeGreaterThan(built.nodes);
    expect(built.bytes).toBeGreaterThan(10_000);
    expect(readTileRecord(directory, { version: '3.6.1' })).toEqual({ version: '3.6.1', ways: built.ways, nodes: built.nodes, edges: built.edges });
    expect(readdirSync(dirname(directory))).toEqual(['tiles']);
    expect(new Set(stages.map(([phase]) => phase))).toEqual(new Set(['ways', 'relations', 'nodes', 'edges', 'tiles', 'details', 'hierarchy', 'shortcuts', 'restrictions', 'checks', 'testing']));
    expect(stages.map(([, fraction]) => fraction)).toEqual(stages.map(([, fraction]) => fraction).toSorted((a, b) => a - b));
  });

  test('clears what a killed one has left behind', async () => {
    const directory = newDirectory();
    mkdirSync(`${directory}.building/tiles`, { recursive: true });
    writeFileSync(`${directory}.building/tiles/ways.bin`, 'half');
    await buildTiles({ pbf: townFile(), directory, memoryLimitMb });
    expect(readdirSync(dirname(directory))).toEqual(['tiles']);
    expect(readdirSync(directory)).not.toContain('ways.bin');
  });

  test('never uses a directory that is there', async () => {
    const directory = newDirectory();
    mkdirSync(directory);
    await expect(buildTiles({ pbf: townFile(), directory, memoryLimitMb })).rejects.toThrow('is there already');
  });

  const badFiles: [title: string, code: ValhallaErrorCode, message: RegExp, make: (path: string) => void][] = [
    ['an empty file', 'bad_map', /damaged or not an \.osm\.pbf/, (path) => truncateSync(path, 0)],
    ['random bytes', 'bad_map', /damaged or not an \.osm\.pbf/, (path) => writeFileSync(path, Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i * 31 + i * 7) & 255)))],
    ['a web page', 'bad_map', /damaged or not an \.osm\.pbf/, (path) => writeFileSync(path, '<!doctype html><html><body><h1>404 Not Found</h1></body></html>')],
    ['a file that ends within a block', 'bad_map', /unexpected EOF/, (path) => truncateSync(path, statSync(path).size - 100)],
    ['bytes that were changed', 'bad_map', /damaged/, (path) => { const bytes = readFileSync(path); bytes.fill(0x55, bytes.length - 2000, bytes.length - 1500); writeFileSync(path, bytes); }],
    ['something after the end', 'bad_map', /damaged/, (path) => appendFileSync(path, Buffer.alloc(64, 0xff))],
  ];
  test.each(badFiles)('of %s fails with words for the operator, and leaves nothing', async (_title, code, message, make) => {
    const pbf = townFile();
    make(pbf);
    await fails(pbf, code, message);
  });

  test('of a file that is not there says where it was looked for', async () => {
    await fails(join(temporaryFolder(), 'no.osm.pbf'), 'bad_map', /There is no map file at .*no\.osm\.pbf/);
  });

  test.each([
    ['the sea', { nodes: [{ id: 1, longitude: 3, latitude: 55 }], ways: [], relations: [] }],
    ['houses only', houses()],
    ['nothing at all', { nodes: [], ways: [], relations: [] }],
  ])('of %s says that there are no roads', async (_title, content) => {
    await fails(writeOsmFile(content), 'no_roads', /no road that a vehicle may use/);
  });

  test('of footways only is tried, and found to be of no use', async () => {
    const { nodes, ways } = houses();
    const footways = ways.map((way) => ({ ...way, tags: { highway: 'footway' } }));
    await fails(writeOsmFile({ nodes, ways: footways, relations: [] }), 'unusable', /no road could be found/);
  });

  test('that takes more memory than it may is ended', async () => {
    await fails(townFile(), 'memory', /more than the 2 MB of memory that it may have/, { memoryLimitMb: 2 });
  });

  testWithSmallDisk('on a disk that is too small says so', async () => {
    const building = buildTiles({ pbf: townFile(), directory: join(smallDisk!, 'tiles'), memoryLimitMb });
    await expect(building).rejects.toMatchObject({ code: 'disk_full', message: expect.stringContaining(`The disk of ${smallDisk} is full`) });
    expect(readdirSync(smallDisk!)).toEqual([]);
  });

  test('ends with the reason of the signal, at any phase, and leaves nothing', async () => {
    for (const last of ['ways', 'nodes', 'details', 'testing'] as BuildPhase[]) {
      const directory = newDirectory();
      const controller = new AbortController();
      const reason = new Error(`enough at ${last}`);
      const building = buildTiles({ pbf: townFile(), directory, memoryLimitMb, signal: controller.signal, onProgress: ({ phase }) => { if (phase === last) controller.abort(reason); } });
      await expect(building).rejects.toBe(reason);
      expect(readdirSync(dirname(directory))).toEqual([]);
    }
  });

  test('does not begin when it was aborted before', async () => {
    const directory = newDirectory();
    await expect(buildTiles({ pbf: townFile(), directory, memoryLimitMb, signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
  });

  async function fails(pbf: string, code: ValhallaErrorCode, message: RegExp, more: { memoryLimitMb?: number } = {}): Promise<void> {
    const directory = newDirectory();
    const building = buildTiles({ pbf, directory, memoryLimitMb, ...more });
    await expect(building).rejects.toMatchObject({ name: 'ValhallaError', code, message: expect.stringMatching(message) });
    expect(readdirSync(dirname(directory))).toEqual([]);
  }
});

/** Squares that nothing but a house stands on. */
function houses() {
  const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y], i) => ({ id: i + 1, longitude: 10 + x * 0.01, latitude: 50 + y * 0.01 }));
  return { nodes: corners, ways: [{ id: 1, refs: [1, 2, 3, 4, 1], tags: { building: 'yes' } as Record<string, string> }], relations: [] };
}

// Any program does here.
test('a builder whose caller has gone is ended, with all that it wrote', async () => {
  const directory = newDirectory();
  mkdirSync(directory);
  const { builder } = startBuilder({ program: '/bin/sh', args: ['-c', 'echo $$ > pid; while :; do echo more >> file; sleep 0.05; done'], directory, memoryLimitMb });
  const pid = await pidIn(directory);
  const exited = once(builder, 'exit');
  builder.disconnect();
  await exited;
  expect(isRunning(pid)).toBe(false);
  expect(existsSync(directory)).toBe(false);
});

test('a builder is ended when it takes too much memory, and says how much that was', async () => {
  const directory = newDirectory();
  mkdirSync(directory);
  const { builder, end } = startBuilder({ program: process.execPath, args: ['-e', 'const all = []; setInterval(() => all.push(Buffer.alloc(2 ** 22, 1)), 5)'], directory, memoryLimitMb: 150 });
  expect(await end).toMatchObject({ isOverMemory: true, signal: 'SIGKILL' });
  expect((await end).memoryMbMax).toBeGreaterThan(150);
  expect(existsSync(directory)).toBe(true);
  builder.disconnect();
});

test('of what a builder prints the end is kept', async () => {
  const directory = newDirectory();
  mkdirSync(directory);
  const { builder, end } = startBuilder({ program: '/bin/sh', args: ['-c', 'seq 1 5000; echo oh no >&2; exit 3'], directory, memoryLimitMb });
  const { output, ...how } = await end;
  expect(how).toMatchObject({ code: 3, signal: null, isOverMemory: false });
  expect(output.length).toBeLessThanOrEqual(4096);
  expect(output).toContain('oh no');
  expect(output).toContain('\n5000\n');
  builder.disconnect();
});

test('a program that is not there is said to be missing', async () => {
  const directory = newDirectory();
  mkdirSync(directory);
  const { builder, end } = startBuilder({ program: '/no/such/program', args: [], directory, memoryLimitMb });
  expect(await end).toMatchObject({ code: null, output: expect.stringContaining('ENOENT') });
  builder.disconnect();
});

function startBuilder(task: BuilderTask) {
  const builder = fork(fileURLToPath(new URL('../../../core/valhalla/tile-builder.ts', import.meta.url)), { execArgv: [] });
  const end = new Promise<BuilderEnd>((resolve) => { builder.on('message', (report: BuilderReport) => { if (report.kind === 'end') resolve(report.end); }); });
  builder.send(task);
  return { builder, end };
}

async function pidIn(directory: string): Promise<number> {
  for (;;) {
    const text = existsSync(join(directory, 'pid')) ? readFileSync(join(directory, 'pid'), 'utf8').trim() : '';
    if (text !== '') return Number(text);
    await sleep(10);
  }
}
