import { areaOf } from './area.ts';
import type { AreaGeometry } from './area.ts';
import type { OsmRelation } from './elements.ts';
import { IdSet } from './id-set.ts';
import { NumberList } from './number-list.ts';
import { readOsm } from './read-osm.ts';
import { OsmWriter } from './write-osm.ts';

export interface ClipResult {
  /** Nodes of the source that lie in the area. Where there are none, the area and the file have nothing to do with each other. */
  nodesInside: number;
  /** What was written: also nodes outside, of ways that reach into the area. */
  nodes: number;
  ways: number;
  restrictions: number;
}

/**
 * Writes the part of an .osm.pbf file that lies in an area: the nodes inside, ways with at least one of them, whole, and the turn restrictions
 * between those ways. The file is read three times, whatever its order; what stays in memory are the ids of nodes and ways that are
 * kept. Metadata of elements (who, when) is left out. Throws OsmFileError for the file and RangeError for the area, and leaves
 * nothing half written.
 */
export function clipOsm(sourcePath: string, targetPath: string, geometry: AreaGeometry, options: { onProgress?: (fraction: number) => void } = {}): ClipResult {
  const area = areaOf(geometry);
  const pass = (number: number) => ({ onProgress: (fraction: number) => options.onProgress?.((number + fraction) / 3) });

  const insideIds = new NumberList();
  readOsm(sourcePath, { node: ({ id, longitudeE7, latitudeE7 }) => void (area.contains(longitudeE7, latitudeE7) && insideIds.add(id)) }, pass(0));
  const inside = new IdSet(insideIds.values.slice());

  const wayIds = new NumberList();
  const wayNodeIds = new NumberList();
  const header = readOsm(sourcePath, {
    way: ({ id, refs }) => {
      if (!refs.some((ref) => inside.has(ref))) return;
      wayIds.add(id);
      for (const ref of refs) if (!inside.has(ref)) wayNodeIds.add(ref);
    },
  }, pass(1));
  const ways = new IdSet(wayIds.values.slice());
  const outside = new IdSet(wayNodeIds.values.slice());

  const result: ClipResult = { nodesInside: inside.size, nodes: 0, ways: 0, restrictions: 0 };
  const writer = new OsmWriter(targetPath, {
    bounds: area.bounds, replicationTimestamp: header.replicationTimestamp, isSorted: header.optionalFeatures.includes('Sort.Type_then_ID'),
  });
  try {
    readOsm(sourcePath, {
      node: (node) => {
        if (!inside.has(node.id) && !outside.has(node.id)) return;
        writer.node(node);
        result.nodes++;
      },
      way: (way) => {
        if (!ways.has(way.id)) return;
        writer.way(way);
        result.ways++;
      },
      relation: (relation) => {
        if (!isRestrictionAmong(relation, ways)) return;
        writer.relation(relation);
        result.restrictions++;
      },
    }, pass(2));
    writer.close();
  } catch (error) {
    writer.abandon();
    throw error;
  }
  return result;
}

/** Only with all of its ways does a restriction mean anything. */
function isRestrictionAmong({ tags, members }: OsmRelation, ways: IdSet): boolean {
  return (tags.get('type') ?? '').startsWith('restriction') && members.length > 0 && members.every(({ type, id }) => type !== 'way' || ways.has(id));
}
