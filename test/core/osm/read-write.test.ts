import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inspectOsm } from '../../../core/osm/inspect-osm.ts';
import { readOsm } from '../../../core/osm/read-osm.ts';
import { OsmWriter } from '../../../core/osm/write-osm.ts';
import { describeExtracts, extractPath, writeOsmFile } from '../../support/osm-files.ts';
import type { OsmContent } from '../../support/osm-files.ts';
import { osmTown } from '../../support/osm-town.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { blob, contentOf, fileOf, header, message, packed } from './pieces.ts';

describe('what the writer writes', () => {
  test('the reader reads, whatever is in it', () => {
    fc.assert(fc.property(contents(), fc.constantFrom('zlib' as const, 'none' as const), (content, compression) => {
      expect(contentOf(writeOsmFile(content, { compression }))).toEqual(content);
    }), { numRuns: 100 });
  });

  test('goes on over many blocks', () => {
    const path = join(temporaryFolder(), 'many.osm.pbf');
    const writer = new OsmWriter(path);
    for (let id = 1; id <= 20_001; id++) writer.node({ id, longitudeE7: id, latitudeE7: -id, tags: id % 1000 === 0 ? [['ref', String(id)]] : [] });
    for (let id = 1; id <= 8_001; id++) writer.way({ id, refs: [id, id + 1] });
    writer.close();
    const { nodes, ways } = contentOf(path);
    expect([nodes.length, ways.length]).toEqual([20_001, 8_001]);
    expect(nodes[11_999]).toEqual({ id: 12_000, longitude: 0.0012, latitude: -0.0012, tags: { ref: '12000' } });
    expect(ways.at(-1)).toEqual({ id: 8_001, refs: [8_001, 8_002], tags: {} });
  });

  test('keeps blocks below the limit of the format, however long the texts', () => {
    const text = 'x'.repeat(1_000_000);
    const nodes = Array.from({ length: 40 }, (_, i) => ({ id: i + 1, longitude: 0, latitude: 0, tags: { note: `${text}${i}` } }));
    expect(contentOf(writeOsmFile({ nodes, ways: [], relations: [] }, { compression: 'none' })).nodes).toEqual(nodes);
  });

  test('is the same to the byte each time', () => {
    const [one, two] = [writeOsmFile(osmTown()), writeOsmFile(osmTown())];
    expect(readFileSync(one).equals(readFileSync(two))).toBe(true);
  });

  test('has its name only when it is complete', () => {
    const path = join(temporaryFolder(), 'half.osm.pbf');
    const writer = new OsmWriter(path);
    writer.node({ id: 1, longitudeE7: 0, latitudeE7: 0 });
    expect(existsSync(path)).toBe(false);
    writer.abandon();
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
  });

  test('says where it lies, up to when it is, and whether it is sorted', () => {
    const bounds = { westE7: -1, southE7: -2, eastE7: 3, northE7: 4 };
    const read = readOsm(writeOsmFile(osmTown(), { bounds, replicationTimestamp: 1_700_000_000 }), {});
    expect(read).toEqual({
      bounds, requiredFeatures: ['OsmSchema-V0.6', 'DenseNodes'], optionalFeatures: ['Sort.Type_then_ID'], writingProgram: 'milkrun', replicationTimestamp: 1_700_000_000,
    });
  });
});

describe('what others write', () => {
  test('nodes that are not dense, other granularities and offsets are understood', () => {
    const node = message([2, packed('unsigned', 1)], [3, packed('unsigned', 2)]);
    for (const [field, value] of [[1, -7], [8, 535_000], [9, 100_000]]) node.zigzagField(field, value);
    const block = message([1, message([1, ''], [1, 'name'], [1, 'Höhe'])], [2, message([1, node])], [17, 1000], [19, -1_000_000_000], [20, 2_000_000_000]);
    expect(contentOf(fileOf(header(), blob({ content: block.content }))).nodes).toEqual([{ id: -7, latitude: -0.465, longitude: 2.1, tags: { name: 'Höhe' } }]);
  });

  test('strings may come behind what uses them, and negative ids of ways take ten bytes', () => {
    const way = message([1, -5], [2, packed('unsigned', 1)], [3, packed('unsigned', 2)], [8, packed('zigzag', 12_000_000_000, 1, -2)]);
    const block = message([2, message([3, way])], [1, message([1, ''], [1, 'highway'], [1, 'road'])]);
    expect(contentOf(fileOf(header(), blob({ content: block.content }))).ways).toEqual([{ id: -5, refs: [12_000_000_000, 12_000_000_001, 11_999_999_999], tags: { highway: 'road' } }]);
  });

  test('blocks of unknown types and unknown fields are left out', () => {
    const block = message([2, message([99, 'future'])], [99, 5]);
    expect(contentOf(fileOf(header([99, 'x']), blob({ type: 'Index', content: Buffer.from('?') }), blob({ content: block.content })))).toEqual({ nodes: [], ways: [], relations: [] });
  });
});

test('progress goes up to the end of the file', () => {
  const told: number[] = [];
  readOsm(writeOsmFile(osmTown()), {}, { onProgress: (fraction) => told.push(fraction) });
  expect(told.toSorted((a, b) => a - b)).toEqual(told);
  expect(told.at(-1)).toBe(1);
});

test('an inspection counts what is in a file', () => {
  const { nodes, ways, relations } = osmTown();
  const inspection = inspectOsm(writeOsmFile(osmTown()));
  expect(inspection).toMatchObject({ nodes: nodes.length, ways: ways.length, relations: relations.length });
  expect(inspection.roads).toBeGreaterThan(200);
});

describeExtracts('real extracts', ['andorra', 'malta', 'porto'], (names) => {
  const counts: Record<string, [nodes: number, ways: number, relations: number]> = {
    'malta-2018-08-27.osm.pbf': [333_684, 56_021, 950], 'porto-2015-06-06.osm.pbf': [347_944, 51_458, 357],
    'andorra-2025-01-19.osm.pbf': [471_006, 24_607, 614], 'andorra-2026-04-04.osm.pbf': [490_035, 25_706, 721],
  };
  test.each(names.filter((name) => name in counts))('%s has as many elements as others count', (name) => {
    const { nodes, ways, relations } = inspectOsm(extractPath(name));
    expect([nodes, ways, relations]).toEqual(counts[name]);
  });
});

function contents(): fc.Arbitrary<OsmContent> {
  const ids = fc.uniqueArray(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), { maxLength: 12 });
  const place = (limit: number) => fc.integer({ min: -limit * 1e7, max: limit * 1e7 }).map((value) => value / 1e7);
  const tags = fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.string({ unit: 'grapheme', maxLength: 8 }), { maxKeys: 4, noNullPrototype: true }).filter((record) => !Object.hasOwn(record, '__proto__'));
  const member = fc.record({ type: fc.constantFrom('node' as const, 'way' as const, 'relation' as const), id: fc.integer({ min: 0, max: 2 ** 40 }), role: fc.constantFrom('', 'from', 'via', 'to') });
  const each = <T>(rest: (id: number) => fc.Arbitrary<T>) => ids.chain((some) => fc.tuple(...some.map(rest))) as fc.Arbitrary<T[]>;
  return fc.record({
    nodes: each((id) => fc.record({ id: fc.constant(id), longitude: place(180), latitude: place(90), tags })),
    ways: each((id) => fc.record({ id: fc.constant(id), refs: fc.array(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), { maxLength: 6 }), tags })),
    relations: each((id) => fc.record({ id: fc.constant(id), members: fc.array(member, { maxLength: 4 }), tags })),
  });
}
