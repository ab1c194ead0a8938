import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { OsmFileError } from '../../../../core/osm/osm-file-error.ts';
import { BUILD_PHASES, buildRoadMap, roadMapOf } from '../../../../core/roads/map/build-road-map.ts';
import { openRoadMap, RoadMapError, roadMapFromBuffer } from '../../../../core/roads/map/road-map.ts';
import { randomFrom } from '../../../../scenarios/generator/random.ts';
import { writeOsmFile } from '../../../support/osm-files.ts';
import { osmTown } from '../../../support/osm-town.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const pbf = writeOsmFile(osmTown());

function builtFile(): string {
  const path = join(temporaryFolder(), 'roads.map');
  buildRoadMap(pbf, path);
  return path;
}

describe('the file of a road map', () => {
  test('holds what was built', () => {
    const { map: { buffer, ...built }, summary } = roadMapOf(pbf);
    const path = builtFile();
    const { buffer: read, ...opened } = openRoadMap(path);
    expect(opened).toEqual(built);
    expect(read.byteLength).toBe(buffer.byteLength);
    expect(summary).toMatchObject({ bytes: buffer.byteLength, edges: built.edgeCount, drivingSide: 'right' });
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  test('is the same to the byte each time', () => {
    expect(readFileSync(builtFile()).equals(readFileSync(builtFile()))).toBe(true);
  });

  test('is opened by threads from the same memory', () => {
    const map = openRoadMap(builtFile());
    const again = roadMapFromBuffer(map.buffer);
    expect(again.points.buffer).toBe(map.points.buffer);
  });

  test('may lack a kind of vehicle', () => {
    const path = join(temporaryFolder(), 'cars.map');
    const summary = buildRoadMap(pbf, path, { kinds: ['car'] });
    expect(summary.graphs.truck).toBeNull();
    expect(openRoadMap(path).graphs.truck).toBeNull();
    expect(openRoadMap(path).graphs.car!.nodeCount).toBe(summary.graphs.car!.nodes);
  });

  const refusal = (change: (bytes: Buffer) => Buffer): string => {
    const path = builtFile();
    writeFileSync(path, change(readFileSync(path)));
    try {
      openRoadMap(path);
    } catch (error) {
      if (error instanceof RoadMapError) return error.message;
      throw error;
    }
    return 'opened';
  };
  const withWord = (word: number, value: number) => (bytes: Buffer) => {
    new Uint32Array(bytes.buffer, bytes.byteOffset, 32)[word] = value;
    return bytes;
  };

  test.each<[string, (bytes: Buffer) => Buffer, string]>([
    ['cut short', (bytes) => bytes.subarray(0, -100), 'it is truncated or damaged, build it again'],
    ['of a length that is no multiple of four', (bytes) => bytes.subarray(0, -3), 'truncated or damaged'],
    ['shorter than its header', (bytes) => bytes.subarray(0, 20), '20 bytes are less than its header'],
    ['empty', () => Buffer.alloc(0), '0 bytes are less than its header'],
    ['longer than it should be', (bytes) => Buffer.concat([bytes, Buffer.alloc(8)]), 'truncated or damaged'],
    ['of another kind', () => Buffer.alloc(500, 'x'), 'not a road map: the first word differs'],
    ['of another layout', withWord(1, 99), 'a road map of layout 99, this program reads layout 1; build it again'],
    ['of the other byte order', (bytes) => bytes.swap32(), 'the other byte order'],
    ['of impossible sizes', withWord(5, 0xfffffff0), 'impossible sizes'],
    ['changed by one bit', (bytes) => { bytes[bytes.length >> 1] ^= 16; return bytes; }, 'its checksum does not fit'],
  ])('%s is refused', (_, change, words) => {
    expect(refusal(change)).toContain(words);
  });

  test('any damage to which is refused', () => {
    const random = randomFrom(11);
    for (let i = 0; i < 200; i++) {
      expect(refusal((bytes) => {
        // Word 3 is not used; all others count.
        let at = random.below(bytes.length);
        if (at >= 12 && at < 16) at += 4;
        bytes[at] ^= 1 << random.below(8);
        return bytes;
      })).not.toBe('opened');
    }
  });

  test('that is not there is the error of the file system', () => {
    expect(() => openRoadMap(join(temporaryFolder(), 'none.map'))).toThrow('ENOENT');
  });
});

describe('building', () => {
  test('tells its phases in order, each from its beginning to its end', () => {
    const told: [string, number][] = [];
    buildRoadMap(pbf, join(temporaryFolder(), 'roads.map'), {}, (phase, fraction) => told.push([phase, fraction]));
    const places = told.map(([phase]) => BUILD_PHASES.indexOf(phase as (typeof BUILD_PHASES)[number]));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    for (const phase of BUILD_PHASES) {
      const fractions = told.filter(([each]) => each === phase).map(([, fraction]) => fraction);
      expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
      expect(fractions.at(-1)).toBe(1);
    }
  });

  test('from a bad file writes nothing', () => {
    const path = join(temporaryFolder(), 'roads.map');
    const bad = join(temporaryFolder(), 'bad.osm.pbf');
    writeFileSync(bad, readFileSync(pbf).subarray(0, -200));
    expect(() => buildRoadMap(bad, path)).toThrow(OsmFileError);
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
  });

  test('from a map without roads says so', () => {
    const empty = writeOsmFile({ nodes: [{ id: 1, longitude: 0, latitude: 0 }], ways: [{ id: 1, refs: [1, 2], tags: { highway: 'footway' } }], relations: [] });
    expect(() => roadMapOf(empty)).toThrow('the file holds no road that a vehicle could use');
  });

  test('from a thousand different mutations of the town ends with a map or a refusal', () => {
    const random = randomFrom(6);
    const plain = readFileSync(writeOsmFile(osmTown(), { compression: 'none' }));
    const path = join(temporaryFolder(), 'mutated.osm.pbf');
    const before = process.memoryUsage().rss;
    let built = 0;
    for (let i = 0; i < 1000; i++) {
      const bytes = Buffer.from(plain);
      for (let count = random.between(1, 4); count > 0; count--) bytes[random.below(bytes.length)] = random.below(256);
      writeFileSync(path, bytes);
      try {
        roadMapOf(path);
        built++;
      } catch (error) {
        expect(error).toBeInstanceOf(OsmFileError);
      }
    }
    expect(built).toBeGreaterThan(100);
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
  });
});
