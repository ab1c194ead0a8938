import type { OsmMember } from '../../core/osm/elements.ts';
import type { OsmContent } from './osm-files.ts';

export const TOWN = {
  /** South-west corner, and what lies between two streets: about 150 m. */
  west: 9.99, south: 53.54, longitudeStep: 0.00227, latitudeStep: 0.00135,
  columns: 14, rows: 11,
  /** The river flows between this row of junctions and the next. */
  riverRow: 5,
} as const;

export interface TownOptions {
  /** A later edition of the same town: a bridge is closed, a street has become one-way, a new one leads out. */
  edition?: 1 | 2;
  /** A hamlet behind an underpass of 2.8 m, and a street of 450 m for up to 3.5 t. */
  hasNarrows?: boolean;
  /** All bridges are for up to 3.5 t: only what is light and low gets over the river. */
  hasWeakBridges?: boolean;
}

type Tags = Record<string, string>;

/**
 * A town that nobody lives in, with a bit of everything that routing has to know: a grid of streets of several classes on both sides of
 * a river, a bridge for light vehicles and a low underpass, one-way streets, a roundabout, signals, turn restrictions, a private
 * yard behind a gate, a track, a pedestrian street, a bollard, an islet that only a ferry leads to, and houses. The same on every
 * machine.
 */
export function osmTown({ edition = 1, hasNarrows = false, hasWeakBridges = false }: TownOptions = {}): OsmContent {
  const town = new Town();
  for (let row = 0; row < TOWN.rows; row++) town.street(row, edition);
  for (let column = 0; column < TOWN.columns; column++) town.avenue(column, edition);
  addRoundabout(town);
  addYard(town);
  addOutskirts(town, edition);
  addIslet(town);
  addRestrictions(town);
  addHouses(town);
  if (hasNarrows) addNarrows(town);
  if (hasWeakBridges) for (const { tags } of town.ways) if (tags?.bridge) tags.maxweight = '3.5';
  return { nodes: town.nodes.sort((a, b) => a.id - b.id), ways: town.ways.sort((a, b) => a.id - b.id), relations: town.relations };
}

/** Where a junction of the grid lies; fractions lie between. */
export function townPlace(column: number, row: number): { longitude: number; latitude: number } {
  return { longitude: TOWN.west + column * TOWN.longitudeStep, latitude: TOWN.south + row * TOWN.latitudeStep };
}

class Town {
  readonly nodes: OsmContent['nodes'] = [];
  readonly ways: OsmContent['ways'] = [];
  readonly relations: OsmContent['relations'] = [];
  private readonly junctions = new Map<string, number>();
  private nextNode = 1001;
  private nextWay = 101;

  /** The node at a place of the grid, made when it is first asked for. */
  at(column: number, row: number, tags?: Tags): number {
    const key = `${column},${row}`;
    let id = this.junctions.get(key);
    if (id === undefined) {
      id = this.nextNode++;
      this.junctions.set(key, id);
      this.nodes.push({ id, ...townPlace(column, row), ...(tags && { tags }) });
    }
    return id;
  }

  way(refs: number[], tags: Tags): number {
    const id = this.nextWay++;
    this.ways.push({ id, refs, tags });
    return id;
  }

  restriction(kind: string, from: number, via: OsmMember, to: number, more: Tags = {}): void {
    const way = (ref: number, role: string): OsmMember => ({ type: 'way', id: ref, role });
    this.relations.push({ id: 11 + this.relations.length, members: [way(from, 'from'), via, way(to, 'to')], tags: { type: 'restriction', ...(kind && { restriction: kind }), ...more } });
  }

  /** One way between two junctions, which is in no other way of that class. */
  wayBetween(a: [number, number], b: [number, number]): number {
    const [from, to] = [this.at(...a), this.at(...b)];
    return this.ways.find(({ refs, tags }) => tags?.highway !== undefined && refs.includes(from) && refs.includes(to))!.id;
  }

  /** From west to east. Each block is a way of its own, so that restrictions can name it. */
  street(row: number, edition: number): void {
    const isMain = row === 2 || row === 8;
    for (let column = 0; column < TOWN.columns - 1; column++) {
      const refs = [this.at(column, row, signalsAt(column, row)), this.at(column + 0.5, row, crossingAt(column, row)), this.at(column + 1, row, signalsAt(column + 1, row))];
      this.way(refs, isMain
        ? { highway: 'primary', maxspeed: '50', surface: 'asphalt' }
        : { highway: 'residential', ...(row === 4 && { oneway: 'yes' }), ...(row === 3 && { oneway: '-1' }), ...(row === 9 && edition === 2 && { oneway: 'yes' }), ...(row === 7 && { maxspeed: '30', surface: 'cobblestone' }) });
    }
  }

  /** From south to north. Over the river go only some. */
  avenue(column: number, edition: number): void {
    for (let row = 0; row < TOWN.rows - 1; row++) {
      const refs = [this.at(column, row), this.at(column, row + 1)];
      if (row === TOWN.riverRow) this.crossing(column, refs, edition);
      else this.way(refs, { highway: column % 6 === 1 ? 'secondary' : 'residential', ...(column % 6 === 1 && { maxspeed: '50' }), ...(column === 8 && { highway: 'living_street' }) });
    }
  }

  private crossing(column: number, refs: number[], edition: number): void {
    const bridge = { bridge: 'yes', layer: '1' };
    if (column === 1) this.way(refs, { highway: 'secondary', maxspeed: '50', ...bridge, ...(edition === 2 && { access: 'no' }) });
    if (column === 7) this.way(refs, { highway: 'secondary', maxspeed: '50', ...bridge });
    if (column === 4) this.way(refs, { highway: 'residential', ...bridge, maxweight: '3.5' });
    if (column === 10) this.way(refs, { highway: 'residential', tunnel: 'yes', layer: '-1', maxheight: '2.8' });
    if (column === 12) this.way(refs, { highway: 'pedestrian', ...bridge });
    if (column === 13) this.way([refs[0], this.at(column, TOWN.riverRow + 0.5, { barrier: 'bollard' }), refs[1]], { highway: 'residential', ...bridge });
  }
}

function signalsAt(column: number, row: number): Tags | undefined {
  return (row === 2 || row === 8) && column % 6 === 1 ? { highway: 'traffic_signals' } : undefined;
}

function crossingAt(column: number, row: number): Tags | undefined {
  return row === 2 && column % 3 === 0 ? { highway: 'crossing', crossing: 'uncontrolled' } : undefined;
}

/** North of the town, where two roads out begin. Counter-clockwise: people drive on the right. */
function addRoundabout(town: Town): void {
  const [column, row] = [6, 11.6];
  const circle = [[0, -0.2], [0.15, -0.1], [0.2, 0], [0, 0.2], [-0.15, 0.1], [-0.2, 0]].map(([x, y]) => town.at(column + x, row + y));
  town.way([...circle, circle[0]], { highway: 'tertiary', junction: 'roundabout' });
  town.way([town.at(6, 10), town.at(6, 10.7), circle[0]], { highway: 'tertiary', maxspeed: '50' });
  town.way([circle[2], town.at(8.5, 11.9), town.at(10.5, 11.6), town.at(10, 10)], { highway: 'tertiary', maxspeed: '70' });
  town.way([circle[5], town.at(3.5, 12), town.at(2, 11.4), town.at(2, 10)], { highway: 'unclassified', surface: 'gravel' });
}

/** Two entrances and a way through, which only those may take who have business there. */
function addYard(town: Town): void {
  const gate = town.at(3.5, 1.3, { barrier: 'gate', access: 'private' });
  const middle = town.at(3.5, 1.5);
  town.way([town.at(3.5, 1), gate, middle], { highway: 'service' });
  town.way([middle, town.at(3.5, 2)], { highway: 'service', access: 'private' });
  town.way([middle, town.at(3.7, 1.5), town.at(3.8, 1.6)], { highway: 'service', service: 'driveway', access: 'private' });
}

function addOutskirts(town: Town, edition: number): void {
  town.way([town.at(0, 0), town.at(-2, -0.5), town.at(-4, -0.3), town.at(-5, 1)], { highway: 'track', tracktype: 'grade2' });
  town.way([town.at(0, 8), town.at(-3, 8.2), town.at(-7, 8)], { highway: 'primary', maxspeed: '80' });
  town.way([town.at(13, 2), town.at(16, 1.8), town.at(20, 2.4)], { highway: 'primary', maxspeed: 'DE:rural', hgv: 'destination' });
  town.way([town.at(9, 9), town.at(9.5, 9.4), town.at(9.5, 9.6)], { highway: 'footway' });
  if (edition === 2) town.way([town.at(13, 10), town.at(15, 10.5), town.at(17, 10)], { highway: 'residential' });
}

function addIslet(town: Town): void {
  const [quay, landing] = [town.at(20, 2.4), town.at(27, 3)];
  town.way([quay, town.at(23, 2.9), landing], { route: 'ferry', duration: '00:12', motor_vehicle: 'yes' });
  for (const [a, b] of [[[27, 3], [28, 3]], [[28, 3], [28, 4]], [[28, 4], [27, 4]], [[27, 4], [27, 3]], [[28, 3], [29, 3.4]]]) {
    town.way([town.at(a[0], a[1]), town.at(b[0], b[1])], { highway: 'unclassified' });
  }
}

function addRestrictions(town: Town): void {
  const node = (column: number, row: number): OsmMember => ({ type: 'node', id: town.at(column, row), role: 'via' });
  const street = (column: number, row: number) => town.wayBetween([column, row], [column + 0.5, row]);
  const avenue = (column: number, row: number) => town.wayBetween([column, row], [column, row + 1]);
  town.restriction('no_left_turn', street(0, 2), node(1, 2), avenue(1, 2));
  town.restriction('no_u_turn', street(6, 2), node(7, 2), street(6, 2));
  town.restriction('only_straight_on', street(0, 8), node(1, 8), street(1, 8), { except: 'psv;bicycle' });
  town.restriction('', avenue(7, 7), node(7, 8), street(7, 8), { 'restriction:hgv': 'no_right_turn' });
  town.restriction('', avenue(7, 1), node(7, 2), street(7, 2), { 'restriction:conditional': 'no_right_turn @ (Mo-Fr 07:00-09:00)' });
  town.restriction('no_left_turn', avenue(5, 0), { type: 'way', id: street(5, 1), role: 'via' }, avenue(6, 1));
}

function addNarrows(town: Town): void {
  const [before, behind] = [town.at(7, -0.8), town.at(7, -1)];
  town.way([town.at(7, 0), before], { highway: 'residential' });
  town.way([before, behind], { highway: 'residential', tunnel: 'yes', layer: '-1', maxheight: '2.8' });
  for (const [a, b] of [[[7, -1], [7, -2]], [[7, -2], [8, -2]], [[8, -2], [8, -1.2]], [[8, -1.2], [7, -1]]]) {
    town.way([town.at(a[0], a[1]), town.at(b[0], b[1])], { highway: 'residential' });
  }
  town.way([town.at(0, 10), town.at(-1.5, 10), town.at(-3, 10)], { highway: 'residential', maxweight: '3.5' });
}

/** A house in every second block: most of a map is not roads. */
function addHouses(town: Town): void {
  for (let column = 0; column < TOWN.columns - 1; column += 2) for (let row = 0; row < TOWN.rows - 1; row++) {
    if (row === TOWN.riverRow || (column === 2 && row === 1)) continue;
    const corners = [[0.4, 0.4], [0.6, 0.4], [0.6, 0.6], [0.4, 0.6]].map(([x, y]) => town.at(column + x, row + y));
    town.way([...corners, corners[0]], { building: 'yes', 'addr:housenumber': String(10 * row + column + 1) });
  }
}
