import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { areaOf, areaProblem } from '../../../core/osm/area.ts';
import type { AreaGeometry } from '../../../core/osm/area.ts';
import { clipOsm } from '../../../core/osm/clip-osm.ts';
import { inspectOsm } from '../../../core/osm/inspect-osm.ts';
import { readOsm } from '../../../core/osm/read-osm.ts';
import { describeExtracts, extractPath, writeOsmFile } from '../../support/osm-files.ts';
import { osmTown, TOWN, townPlace } from '../../support/osm-town.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { contentOf, fileOf } from './pieces.ts';

type Position = [longitude: number, latitude: number];

const box = (west: number, south: number, east: number, north: number): Position[] => [[west, south], [east, south], [east, north], [west, north], [west, south]];

describe('an area', () => {
  test('holds what is in its outline and not in its holes', () => {
    const area = areaOf({ type: 'Polygon', coordinates: [box(0, 0, 10, 10), box(4, 4, 6, 6)] });
    const holds = ([longitude, latitude]: Position) => area.contains(longitude * 1e7, latitude * 1e7);
    expect(([[5, 2], [2, 5], [8, 8]] as Position[]).map(holds)).toEqual([true, true, true]);
    expect(([[5, 5], [-1, 5], [11, 5], [5, 11], [180, 90]] as Position[]).map(holds)).toEqual([false, false, false, false, false]);
  });

  test('may be of several parts, which may overlap', () => {
    const area = areaOf({ type: 'MultiPolygon', coordinates: [[box(0, 0, 2, 2)], [box(1, 1, 3, 3)], [box(8, 8, 9, 9)]] });
    expect([[1.5, 1.5], [2.5, 2.5], [8.5, 8.5], [5, 5]].map(([x, y]) => area.contains(x * 1e7, y * 1e7))).toEqual([true, true, true, false]);
    expect(area.bounds).toEqual({ westE7: 0, southE7: 0, eastE7: 9e7, northE7: 9e7 });
  });

  test('agrees with a plain walk around its outline, however wild that is', () => {
    const unit = fc.integer({ min: -50, max: 50 });
    const position = fc.tuple(unit, unit);
    fc.assert(fc.property(fc.array(position, { minLength: 3, maxLength: 40 }), fc.array(position, { maxLength: 30 }), (corners, points) => {
      const ring = [...corners, corners[0]];
      const area = areaOf({ type: 'Polygon', coordinates: [ring] });
      for (const [x, y] of points) expect(area.contains((x + 0.5) * 1e7, (y + 0.5) * 1e7)).toBe(isInside(ring, x + 0.5, y + 0.5));
    }), { numRuns: 300 });
  });

  test.each<[string, AreaGeometry, string]>([
    ['nothing', { type: 'MultiPolygon', coordinates: [] }, 'at least one polygon'],
    ['no outline', { type: 'Polygon', coordinates: [] }, 'must have an outline'],
    ['a line', { type: 'Polygon', coordinates: [[[0, 0], [1, 1], [0, 0]]] }, 'at least four positions'],
    ['an open ring', { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 1]]] }, 'must end where it begins'],
    ['a place beyond the antimeridian', { type: 'Polygon', coordinates: [box(170, 0, 190, 10)] }, 'cut areas over the antimeridian in two'],
    ['no numbers', { type: 'Polygon', coordinates: [box(Number.NaN, 0, 1, 1)] }, 'is no longitude and latitude'],
  ])('cannot be %s', (_, geometry, words) => {
    expect(areaProblem(geometry)).toContain(words);
    expect(() => areaOf(geometry)).toThrow(words);
  });
});

describe('clipping', () => {
  const source = writeOsmFile(osmTown(), { replicationTimestamp: 1_700_000_000 });
  const [corner, opposite] = [townPlace(-0.2, -0.2), townPlace(4.2, 4.2)];
  const area: AreaGeometry = { type: 'Polygon', coordinates: [box(corner.longitude, corner.latitude, opposite.longitude, opposite.latitude)] };
  const clip = (geometry: AreaGeometry) => {
    const path = join(temporaryFolder(), 'clip.osm.pbf');
    return { path, result: clipOsm(source, path, geometry) };
  };

  test('keeps the nodes inside, whole ways that reach inside, and restrictions among them', () => {
    const { path, result } = clip(area);
    const town = osmTown();
    const { contains } = areaOf(area);
    const inside = new Set(town.nodes.filter(({ longitude, latitude }) => contains(longitude * 1e7, latitude * 1e7)).map(({ id }) => id));
    const ways = town.ways.filter(({ refs }) => refs.some((ref) => inside.has(ref)));
    const wayIds = new Set(ways.map(({ id }) => id));
    const nodeIds = new Set([...inside, ...ways.flatMap(({ refs }) => refs)]);
    const relations = town.relations.filter(({ members }) => members.every(({ type, id }) => type !== 'way' || wayIds.has(id)));
    const clipped = contentOf(path);
    expect(clipped.ways).toEqual(ways.map((way) => ({ ...way, tags: way.tags ?? {} })));
    expect(clipped.nodes.map(({ id }) => id)).toEqual(town.nodes.map(({ id }) => id).filter((id) => nodeIds.has(id)));
    expect(clipped.relations).toEqual(relations);
    expect(relations.length).toBeGreaterThan(0);
    expect(nodeIds.size).toBeGreaterThan(inside.size);
    expect(result).toEqual({ nodesInside: inside.size, nodes: nodeIds.size, ways: ways.length, restrictions: relations.length });
  });

  test('keeps what the source says of its age, and the bounds of the area', () => {
    expect(readOsm(clip(area).path, {})).toMatchObject({
      replicationTimestamp: 1_700_000_000, optionalFeatures: ['Sort.Type_then_ID'], bounds: areaOf(area).bounds,
    });
  });

  test('leaves out what lies in a hole', () => {
    const hole = box(TOWN.west + 0.001, TOWN.south + 0.0005, opposite.longitude - 0.0005, opposite.latitude - 0.0003).toReversed();
    const { result } = clip({ type: 'Polygon', coordinates: [area.coordinates[0] as Position[], hole] });
    expect(result.nodesInside).toBeGreaterThan(0);
    expect(result.nodesInside).toBeLessThan(clip(area).result.nodesInside / 2);
  });

  test('to an area elsewhere keeps nothing, and the file says so', () => {
    const { path, result } = clip({ type: 'Polygon', coordinates: [box(100, 0, 101, 1)] });
    expect(result).toEqual({ nodesInside: 0, nodes: 0, ways: 0, restrictions: 0 });
    expect(() => inspectOsm(path)).toThrow('holds no road');
  });

  test('tells its progress and leaves nothing behind when the file is bad', () => {
    const told: number[] = [];
    clipOsm(source, join(temporaryFolder(), 'clip.osm.pbf'), area, { onProgress: (fraction) => told.push(fraction) });
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBe(1);
    const target = join(temporaryFolder(), 'none.osm.pbf');
    expect(() => clipOsm(fileOf(Buffer.from('<html>')), target, area)).toThrow('HTML');
    expect([existsSync(target), existsSync(`${target}.part`)]).toEqual([false, false]);
  });
});

describeExtracts('clipping Malta to Gozo', ['malta'], ([name]) => {
  test('keeps the ferry whole', () => {
    const path = join(temporaryFolder(), 'gozo.osm.pbf');
    const result = clipOsm(extractPath(name), path, { type: 'Polygon', coordinates: [box(14.17, 36.005, 14.36, 36.09)] });
    expect(result.ways).toBeGreaterThan(1000);
    const { nodes, ways } = contentOf(path);
    const known = new Set(nodes.map(({ id }) => id));
    expect(ways.every(({ refs }) => refs.every((ref) => known.has(ref)))).toBe(true);
    expect(ways.filter(({ tags }) => tags?.route === 'ferry').length).toBeGreaterThan(0);
  });
});

function isInside(ring: Position[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 1; i < ring.length; i++) {
    const [[x1, y1], [x2, y2]] = [ring[i - 1], ring[i]];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
  }
  return inside;
}
