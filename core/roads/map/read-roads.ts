import type { OsmRelation } from '../../osm/elements.ts';
import { IdSet } from '../../osm/id-set.ts';
import { IntegerList, NumberList } from '../../osm/number-list.ts';
import { readOsm } from '../../osm/read-osm.ts';
import { nodeRulesOf } from './node-rules.ts';
import type { NodeRules } from './node-rules.ts';
import { restrictionOf } from './restriction.ts';
import type { Restriction, RestrictionGap } from './restriction.ts';
import { wayRulesOf } from './way-rules.ts';
import type { WayRules } from './way-rules.ts';

/** What a map file says about roads, before they are cut into edges. Nodes are places in `nodeIds`. */
export interface Roads {
  nodeIds: IdSet;
  longitudeE7: Int32Array;
  latitudeE7: Int32Array;
  /** Only of nodes that are more than points. */
  nodeRules: Map<number, NodeRules>;
  wayCount: number;
  wayIds: Float64Array;
  /** By way, an index into `rules`. */
  wayRules: Int32Array;
  rules: WayRules[];
  /** The nodes of way i are `refs[firstRef[i]]` up to, not including, `refs[firstRef[i + 1]]`; -1 where the file lacks one. */
  firstRef: Int32Array;
  refs: Int32Array;
  restrictions: Restriction[];
  restrictionGaps: Record<RestrictionGap, number>;
  /** As boundaries in the file say, if they agree. */
  drivingSide: 'left' | 'right' | null;
}

/** Where the file has no place for a node. */
export const NO_PLACE = 0x7fffffff;

/** Reads a file twice: what roads there are and which nodes they need, then where those nodes are. Throws OsmFileError. */
export function readRoads(path: string, onProgress: (fraction: number) => void = () => {}): Roads {
  const rules = new RulesTable();
  const wayIds = new NumberList();
  const wayRules = new IntegerList();
  const firstRef = new IntegerList();
  const refIds = new NumberList();
  const restrictions: Restriction[] = [];
  const restrictionGaps: Roads['restrictionGaps'] = { conditional: 0, other_vehicles: 0, incomplete: 0, ambiguous: 0, moot: 0 };
  const sides = new Set<string>();
  readOsm(path, {
    way: ({ id, refs, tags }) => {
      if (refs.length < 2) return;
      const found = wayRulesOf(tags);
      if (found === null) return;
      wayIds.add(id);
      wayRules.add(rules.indexOf(found));
      firstRef.add(refIds.length);
      for (const ref of refs) refIds.add(ref);
    },
    relation: (relation) => {
      const restriction = restrictionOf(relation);
      if (typeof restriction === 'string') restrictionGaps[restriction]++;
      else if (restriction !== null) restrictions.push(restriction);
      else addDrivingSide(sides, relation);
    },
  }, { onProgress: (fraction) => onProgress(fraction / 2) });
  firstRef.add(refIds.length);

  const nodeIds = new IdSet(refIds.values.slice());
  const longitudeE7 = new Int32Array(nodeIds.size).fill(NO_PLACE);
  const latitudeE7 = new Int32Array(nodeIds.size).fill(NO_PLACE);
  const nodeRules = new Map<number, NodeRules>();
  readOsm(path, {
    node: (node) => {
      const index = nodeIds.indexOf(node.id);
      if (index === -1) return;
      longitudeE7[index] = node.longitudeE7;
      latitudeE7[index] = node.latitudeE7;
      const found = nodeRulesOf(node.tags);
      if (found !== null) nodeRules.set(index, found);
    },
  }, { onProgress: (fraction) => onProgress((1 + fraction) / 2) });

  const refs = Int32Array.from(refIds.values, (id) => {
    const index = nodeIds.indexOf(id);
    return longitudeE7[index] === NO_PLACE ? -1 : index;
  });
  return {
    nodeIds, longitudeE7, latitudeE7, nodeRules, wayCount: wayIds.length, wayIds: wayIds.values, wayRules: wayRules.values, rules: rules.rules,
    firstRef: firstRef.values, refs, restrictions, restrictionGaps, drivingSide: sides.size === 1 ? ([...sides][0] as 'left' | 'right') : null,
  };
}

function addDrivingSide(sides: Set<string>, { tags }: OsmRelation): void {
  const side = tags.get('driving_side');
  if ((side === 'left' || side === 'right') && tags.get('boundary') === 'administrative') sides.add(side);
}

/** Most ways are like another: a few hundred sets of rules serve a country. */
class RulesTable {
  readonly rules: WayRules[] = [];
  private readonly places = new Map<string, number>();

  indexOf(rules: WayRules): number {
    const key = JSON.stringify(rules);
    let place = this.places.get(key);
    if (place === undefined) {
      place = this.rules.push(rules) - 1;
      this.places.set(key, place);
    }
    return place;
  }
}
