import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { findNativePackage, nativePackageAt } from '../../../core/valhalla/native-package.ts';
import { openValhalla } from '../../../core/valhalla/open-valhalla.ts';
import type { OpenValhallaOptions, Valhalla } from '../../../core/valhalla/open-valhalla.ts';
import type { Profile } from '../../../core/valhalla/profile.ts';
import { UNREACHABLE } from '../../../core/roads/travel-matrix.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { isRunning } from './is-running.ts';
import { at, describeValhalla, middles, townTiles } from './town-tiles.ts';

const about = { profile: { costing: 'auto' } as Profile, limitMetres: 200 };
const truck = (size: Partial<Profile>) => ({ ...about, profile: { costing: 'truck', ...size } as Profile });
const car = (size: Partial<Profile>) => ({ ...about, profile: { costing: 'auto', ...size } as Profile });

describeValhalla('Valhalla over a town', () => {
  let tiles: string;
  let town: Valhalla;
  const opened: Valhalla[] = [];
  const open = (directory: string, options: OpenValhallaOptions = {}) => {
    const valhalla = openValhalla(directory, options);
    opened.push(valhalla);
    return valhalla;
  };
  beforeAll(async () => {
    tiles = await townTiles();
    town = openValhalla(tiles);
  });
  afterEach(async () => { await Promise.all(opened.splice(0).map((valhalla) => valhalla.close())); });
  afterAll(async () => { await town.close(); });

  test('points are taken to the nearest road that the vehicle may use, and no farther than they may', async () => {
    const [onStreet, inBlock, atSea] = await town.locate([at(0, 0.5), at(0.5, 0.2), [3, 55]], about);
    expect(onStreet!.metres).toBeLessThan(1);
    // A fifth of a block of 150 metres.
    expect(inBlock!.metres).toBeCloseTo(30, 0);
    expect(inBlock!.latitude).toBeCloseTo(at(0, 0)[1], 5);
    expect(atSea).toBeNull();
    expect(await town.locate([at(0.5, 0.2)], { ...about, limitMetres: 20 })).toEqual([null]);
    expect(await town.locate([], about)).toEqual([]);
  });

  test('a point that is not on the Earth is a mistake of the caller', async () => {
    for (const point of [[181, 0], [0, 91], [Number.NaN, 0], [0, Infinity]] as [number, number][]) {
      await expect(town.locate([at(0, 0), point], about)).rejects.toThrow(RangeError);
    }
  });

  test('a table holds seconds and metres by source and target, and a route says the same', async () => {
    const { seconds, metres } = await town.matrix(middles, middles, about);
    let differing = 0;
    for (const [i, from] of middles.entries()) {
      for (const [j, to] of middles.entries()) {
        const { legs: [leg] } = await town.route([from, to], about);
        expect(leg).not.toBeNull();
        expect(seconds[i * middles.length + j]).toBeLessThan(UNREACHABLE);
        if (Math.abs(seconds[i * middles.length + j]! - leg!.seconds) > 1 || Math.abs(metres[i * middles.length + j]! - leg!.metres) > 2) differing++;
      }
    }
    // Starts and ends within a block are timed a little differently: README.md has the figures.
    expect(differing).toBeLessThanOrEqual(middles.length ** 2 / 10);
    expect(middles.map((_, i) => seconds[i * (middles.length + 1)])).toEqual(middles.map(() => 0));
  });

  test('a table may have more sources than targets, or fewer, and is the same', async () => {
    const whole = await town.matrix(middles, middles, about);
    const size = middles.length;
    const wide = await town.matrix(middles.slice(0, 3), middles, about);
    expect(wide.seconds).toEqual(whole.seconds.slice(0, 3 * size));
    const tall = await town.matrix(middles, middles.slice(0, 3), about);
    expect([...tall.seconds]).toEqual(middles.flatMap((_, i) => Array.from(whole.seconds.slice(i * size, i * size + 3))));
    expect(tall.sources).toHaveLength(size);
    expect(tall.targets).toHaveLength(3);
    expect((await town.matrix([], middles, about)).seconds).toHaveLength(0);
  });

  test('the islet is reached by ferry, in the table and along the route', async () => {
    const islet = at(28, 3.5);
    const { seconds } = await town.matrix([at(0, 0.5)], [islet], about);
    const { legs: [leg] } = await town.route([at(0, 0.5), islet], about);
    expect(seconds[0]).toBeGreaterThan(12 * 60);
    expect(seconds[0]).toBeLessThan(UNREACHABLE);
    expect(leg!.seconds).toBeGreaterThan(12 * 60);
  });

  test('a point without a road is unreachable in the table, and the others are not', async () => {
    const table = await town.matrix([middles[0]!, [3, 55], middles[1]!], [middles[1]!, [3, 55]], about);
    expect(table.sources.map((snapped) => snapped !== null)).toEqual([true, false, true]);
    expect(table.targets.map((snapped) => snapped !== null)).toEqual([true, false]);
    expect([...table.seconds].map((seconds) => seconds === UNREACHABLE)).toEqual([false, true, true, true, false, true]);
    expect([...table.metres].map((metres) => metres === UNREACHABLE)).toEqual([false, true, true, true, false, true]);
    const nothing = await town.matrix([[3, 55]], [[3, 55]], about);
    expect([...nothing.seconds]).toEqual([UNREACHABLE]);
  });

  test('a route goes along the streets, from point to point', async () => {
    const points = [at(0, 0.5), at(5, 3.5), at(7.25, 2)];
    const { legs, points: snapped } = await town.route(points, about);
    expect(legs).toHaveLength(2);
    for (const [i, leg] of legs.entries()) {
      expect(leg!.seconds).toBe(Math.round(leg!.seconds));
      const [first, last] = [leg!.geometry[0]!, leg!.geometry.at(-1)!];
      expect(first[0]).toBeCloseTo(snapped[i]!.longitude, 5);
      expect(first[1]).toBeCloseTo(snapped[i]!.latitude, 5);
      expect(last[0]).toBeCloseTo(snapped[i + 1]!.longitude, 5);
      expect(last[1]).toBeCloseTo(snapped[i + 1]!.latitude, 5);
      expect(lengthOf(leg!.geometry)).toBeCloseTo(leg!.metres, -1);
    }
  });

  test('a route over a point without a road has gaps there, and only there', async () => {
    const { legs, points } = await town.route([middles[0]!, middles[1]!, [3, 55], middles[2]!, middles[3]!], about);
    expect(legs.map((leg) => leg !== null)).toEqual([true, false, false, true]);
    expect(points.map((snapped) => snapped !== null)).toEqual([true, true, false, true, true]);
    expect((await town.route([middles[0]!], about)).legs).toEqual([]);
    expect((await town.route([], about)).legs).toEqual([]);
    expect((await town.route([[3, 55], [3, 55]], about)).legs).toEqual([null]);
  });

  test('a long route comes in several requests, and is the same', async () => {
    const points = Array.from({ length: 60 }, (_, i) => middles[i % 5]!);
    const { legs } = await town.route(points, about);
    expect(legs).toHaveLength(59);
    for (const [i, leg] of legs.entries()) expect(leg!.metres).toBe(legs[i % 5]!.metres);
  });

  test('a truck keeps to limits of weight', async () => {
    const [south, north] = [at(4, 4.5), at(4, 6.5)];
    const seconds = async (size: Partial<Profile>) => {
      const table = await town.matrix([south], [north], truck(size));
      const { legs: [leg] } = await town.route([south, north], truck(size));
      return [table.metres[0], leg!.metres];
    };
    const straight = await seconds({ weightKg: 3500 });
    const around = await seconds({ weightKg: 3501 });
    expect(around[0]).toBeGreaterThan(straight[0]! + 500);
    expect(around[1]).toBeGreaterThan(straight[1]! + 500);
    expect(await seconds({})).toEqual(straight);
    expect(await seconds({ weightKg: null })).toEqual(straight);
    // More than Valhalla knows: it must not fall back to something lighter.
    expect(await seconds({ weightKg: 900_000 })).toEqual(around);
  });

  test('a truck and a car keep to limits of height', async () => {
    const [south, north] = [at(10, 4.5), at(10, 6.5)];
    for (const kind of [truck, car]) {
      const metres = async (size: Partial<Profile>) => (await town.matrix([south], [north], kind(size))).metres[0]!;
      const straight = await metres({});
      expect(await metres({ heightMetres: 2.8 })).toBe(straight);
      expect(await metres({ heightMetres: 2.9 })).toBeGreaterThan(straight + 500);
      expect(await metres({ heightMetres: 90 })).toBeGreaterThan(straight + 500);
    }
  });

  test('a road that is closed to a vehicle is none that it stops at, and nobody finds a way to it', async () => {
    const narrow = open(await townTiles({ hasNarrows: true }));
    const [weakStreet, junction, hamlet] = [at(-3, 10), at(0, 10), at(7.5, -2)];
    const heavy = truck({ weightKg: 12_000, heightMetres: 3.8 });
    expect((await narrow.locate([weakStreet, junction], truck({ weightKg: 3_500 }))).map((snapped) => snapped !== null)).toEqual([true, true]);
    expect((await narrow.locate([weakStreet, junction], heavy)).map((snapped) => snapped !== null)).toEqual([false, true]);
    expect((await narrow.route([junction, hamlet], { ...heavy, limitMetres: 100 })).legs).toEqual([null]);
    // Valhalla refuses a table in which there is nothing.
    expect([...(await narrow.matrix([junction], [hamlet], { ...heavy, limitMetres: 100 })).seconds]).toEqual([UNREACHABLE]);
    expect((await narrow.route([junction, hamlet], car({}))).legs[0]!.metres).toBeGreaterThan(2_000);
  });

  test('at the very end of a closed road a vehicle takes the open ones', async () => {
    // The junctions at both ends of a bridge for up to 3.5 t.
    const [south, north, beyond] = [at(4, 5), at(4, 6), at(4, 8)];
    const lengths = async (size: typeof heavy) => {
      const table = await town.matrix([south, north], [north, south, beyond], size);
      const { legs } = await town.route([south, north, south, beyond], size);
      return { table: [...table.metres], route: legs.map((leg) => leg!.metres) };
    };
    const heavy = truck({ weightKg: 12_000 });
    const light = await lengths(truck({ weightKg: 3_500 }));
    expect([light.table[0], light.table[4], ...light.route.slice(0, 2)].every((metres) => metres! > 140 && metres! < 160)).toBe(true);
    const { table, route } = await lengths(heavy);
    for (const metres of [table[0], table[4], table[2], ...route]) expect(metres).toBeGreaterThan(900);
    // To itself it need not go: a place is at most some metres from where it is stood in for.
    expect(Math.max(table[1]!, table[3]!)).toBeLessThan(20);
  });

  test('fifty requests at once are all answered, each with its own', async () => {
    const alone = await Promise.all(middles.slice(1).map(async (to) => (await town.route([middles[0]!, to], about)).legs[0]!.metres));
    const together = await Promise.all(Array.from({ length: 50 }, async (_, i) => (await town.route([middles[0]!, middles[1 + i % alone.length]!], about)).legs[0]!.metres));
    expect(together).toEqual(together.map((_, i) => alone[i % alone.length]));
  });

  test('two towns that are open at once are never taken for one another', async () => {
    const later = open(await townTiles({ edition: 2 }));
    // The bridge between them is closed in the later edition.
    const ends = [at(1, 4.5), at(1, 6.5)];
    const metres = async (valhalla: Valhalla) => (await valhalla.route(ends, about)).legs[0]!.metres;
    const [before, after] = [await metres(town), await metres(later)];
    expect(after).toBeGreaterThan(before + 500);
    for (let i = 0; i < 20; i++) {
      expect(await metres(town)).toBe(before);
      expect(await metres(later)).toBe(after);
    }
    expect(await Promise.all(Array.from({ length: 40 }, (_, i) => metres(i % 2 === 0 ? town : later)))).toEqual(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? before : after)));
  });

  test('a process that is killed while it answers is started again, and everybody gets an answer', async () => {
    const valhalla = open(tiles);
    const expected = (await valhalla.route(middles.slice(0, 3), about)).legs;
    const killed = valhalla.processId()!;
    process.kill(killed, 'SIGSTOP');
    const asked = Array.from({ length: 6 }, () => valhalla.route(middles.slice(0, 3), about));
    process.kill(killed, 'SIGKILL');
    for (const { legs } of await Promise.all(asked)) expect(legs).toEqual(expected);
    expect(valhalla.processId()).not.toBe(killed);
  });

  test('what takes the process along twice fails, and the next is answered', async () => {
    const valhalla = open(tiles);
    await valhalla.locate(middles, about);
    const first = valhalla.processId()!;
    process.kill(first, 'SIGSTOP');
    const asked = valhalla.locate(middles, about);
    process.kill(first, 'SIGKILL');
    const again = async () => {
      let second = valhalla.processId();
      while (second === null || second === first) {
        await sleep(1);
        second = valhalla.processId();
      }
      process.kill(second, 'SIGSTOP');
      process.kill(second, 'SIGKILL');
    };
    await Promise.all([again(), expect(asked).rejects.toMatchObject({ name: 'ValhallaError', code: 'crashed' })]);
    expect(await valhalla.locate(middles, about)).toHaveLength(middles.length);
  });

  test('a request without an answer in time fails, and only that one', async () => {
    const valhalla = open(tiles, { threads: 1, deadlineMs: 4000 });
    await valhalla.locate(middles, about);
    const stuck = valhalla.processId()!;
    process.kill(stuck, 'SIGSTOP');
    const late = valhalla.locate(middles, about);
    const behind = valhalla.locate(middles, about);
    await expect(late).rejects.toMatchObject({ code: 'deadline', message: expect.stringContaining('within 4 seconds') });
    expect(await behind).toHaveLength(middles.length);
    expect(valhalla.processId()).not.toBe(stuck);
  });

  test('a signal ends a request at once, in the queue or under way, and nobody else\'s', async () => {
    const valhalla = open(tiles, { threads: 1 });
    await valhalla.locate(middles, about);
    const controller = new AbortController();
    const reason = new Error('not needed any more');
    process.kill(valhalla.processId()!, 'SIGSTOP');
    const ended = [1, 2].map(() => expect(valhalla.matrix(middles, middles, { ...about, signal: controller.signal })).rejects.toBe(reason));
    const other = valhalla.locate(middles, about);
    controller.abort(reason);
    await Promise.all(ended);
    process.kill(valhalla.processId()!, 'SIGCONT');
    expect(await other).toHaveLength(middles.length);
    await expect(valhalla.route(middles, { ...about, signal: controller.signal })).rejects.toBe(reason);
  });

  test('a table tells how far it is, and can be given up in between', async () => {
    const valhalla = open(tiles, { threads: 1 });
    const told: [number, number][] = [];
    const many = Array.from({ length: 200 }, (_, i) => middles[i % middles.length]!);
    await valhalla.matrix(many, many, { ...about, onProgress: (done, all) => told.push([done, all]) });
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)).toEqual([200, 200]);
    expect(told.map(([done]) => done)).toEqual(told.map(([done]) => done).toSorted((a, b) => a - b));

    const controller = new AbortController();
    const given = valhalla.matrix(many, many, { ...about, signal: controller.signal, onProgress: () => controller.abort(new Error('enough')) });
    await expect(given).rejects.toThrow('enough');
  });

  test('closing answers what was asked, takes nothing more, and ends the process', async () => {
    const valhalla = openValhalla(tiles);
    const asked = Array.from({ length: 10 }, () => valhalla.locate(middles, about));
    const closed = valhalla.close();
    await expect(valhalla.locate(middles, about)).rejects.toMatchObject({ code: 'closed' });
    expect((await Promise.all(asked)).every((answer) => answer.length === middles.length)).toBe(true);
    await closed;
    expect(valhalla.processId()).toBeNull();
    await valhalla.close();
    await openValhalla(tiles).close();
  });

  test('a process whose owner was killed ends too', async () => {
    const script = `
      const { openValhalla } = await import(process.argv[1]);
      const valhalla = openValhalla(process.argv[2]);
      await valhalla.locate([[10, 53.5]], { profile: { costing: 'auto' }, limitMetres: 100 });
      console.log(valhalla.processId());
      setInterval(() => {}, 1000);`;
    const code = new URL('../../../core/valhalla/open-valhalla.ts', import.meta.url).href;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', script, code, tiles], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(owner.stdout, 'data') as [Buffer];
    const pid = Number(String(line));
    expect(isRunning(pid)).toBe(true);
    owner.kill('SIGKILL');
    while (isRunning(pid)) await sleep(10);
  });

  test('a directory without whole tiles does not open', () => {
    const directory = temporaryFolder();
    expect(() => openValhalla(directory)).toThrow(expect.objectContaining({ code: 'no_tiles', message: expect.stringContaining('Install the region again') }));
    writeFileSync(join(directory, 'milkrun.json'), '{"version":"3.5.0"}');
    expect(() => openValhalla(directory)).toThrow('are of Valhalla 3.5.0, and this is 3.6.1');
    writeFileSync(join(directory, 'milkrun.json'), '{"vers');
    expect(() => openValhalla(directory)).toThrow('no whole road tiles');
  });

  test('a process that can not start says why, to all who asked', async () => {
    const broken = join(temporaryFolder(), 'package');
    mkdirSync(broken);
    writeFileSync(join(broken, 'package.json'), JSON.stringify({ version: findNativePackage().version }));
    writeFileSync(join(broken, 'index.mjs'), `throw new Error('libbsd.so.0: cannot open shared object file: No such file or directory');`);
    const valhalla = open(tiles, { nativePackage: nativePackageAt(broken) });
    const asked = [1, 2, 3].map(() => expect(valhalla.locate(middles, about)).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('apt-get install libbsd0') }));
    await Promise.all(asked);
    rmSync(broken, { recursive: true });
    await expect(valhalla.locate(middles, about)).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('npm install') });
  });
});

function lengthOf(line: [number, number][]): number {
  const radians = Math.PI / 180;
  return line.slice(1).reduce((sum, [longitude, latitude], i) => {
    const [x, y] = [(longitude - line[i]![0]) * Math.cos(latitude * radians), latitude - line[i]![1]];
    return sum + Math.hypot(x, y) * radians * 6_371_008.8;
  }, 0);
}
