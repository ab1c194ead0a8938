import type { Random } from './random.ts';
import { emptyStreetMap, keepWhatIsConnected } from './street-map.ts';
import type { StreetMap } from './street-map.ts';

/**
 * A town on both banks of a river with two bridges: crooked streets, main streets along some rows and columns, a one-way old town
 * north of the river, and two hamlets at the end of country roads.
 */
const COLUMNS = 18;
const ROWS = 15;
const BLOCK_METRES = 230;
/** Rows from this one on lie north of the river. */
const NORTH_BANK_ROW = 7;
const RIVER_METRES = 350;
const BRIDGE_COLUMNS = [5, 12];
const MAIN_ROWS = [3, 10];
const OLD_TOWN = { firstColumn: 7, lastColumn: 11, firstRow: 8, lastRow: 12 };

export const TOWN_DEPOT_NODE = 'n12-3';
export const FAR_HAMLET_NODE = 'east-4';
export const ISLAND_NODES = ['island-1', 'island-2', 'island-3'];
export const QUARRY_NODE = 'quarry';

export function townStreets(random: Random): StreetMap {
  const map = emptyStreetMap({ longitude: 13.9, latitude: 52.1, metresPerDegreeEast: 68_305 });
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const north = row * BLOCK_METRES + (row >= NORTH_BANK_ROW ? RIVER_METRES : 0);
      map.addNode(junction(column, row), column * BLOCK_METRES + random.between(-60, 60), north + random.between(-60, 60));
    }
  }
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      if (column + 1 < COLUMNS) addEastward(map, random, column, row);
      if (row + 1 < ROWS) addNorthward(map, random, column, row);
    }
  }
  addHamlet(map, { name: 'east', from: junction(COLUMNS - 1, 3), east: 6800, north: 900 });
  addHamlet(map, { name: 'north', from: junction(5, ROWS - 1), east: 700, north: 6600 });
  keepWhatIsConnected(map, TOWN_DEPOT_NODE);
  addIsland(map);
  // A ramp leads down into the quarry, and no road leads out of it.
  map.addNode(QUARRY_NODE, 2050, -650);
  map.addStreet(junction(9, 0), QUARRY_NODE, { kmh: 30, kmhBack: 'none' });
  return map;
}

function junction(column: number, row: number): string {
  return `n${column}-${row}`;
}

function addEastward(map: StreetMap, random: Random, column: number, row: number): void {
  const [here, there] = [junction(column, row), junction(column + 1, row)];
  if (MAIN_ROWS.includes(row)) map.addStreet(here, there, { kmh: 50 });
  else if (isInOldTown(column, row) && isInOldTown(column + 1, row)) addOneWay(map, here, there, row % 2 === 0);
  else if (!random.chance(14)) map.addStreet(here, there, { kmh: 30 });
}

function addNorthward(map: StreetMap, random: Random, column: number, row: number): void {
  const [here, there] = [junction(column, row), junction(column, row + 1)];
  const isOverRiver = row + 1 === NORTH_BANK_ROW;
  if (BRIDGE_COLUMNS.includes(column)) map.addStreet(here, there, { kmh: isOverRiver ? 40 : 50 });
  else if (isOverRiver) return;
  else if (isInOldTown(column, row) && isInOldTown(column, row + 1)) addOneWay(map, here, there, column % 2 === 0);
  else if (!random.chance(14)) map.addStreet(here, there, { kmh: 30 });
}

function isInOldTown(column: number, row: number): boolean {
  const { firstColumn, lastColumn, firstRow, lastRow } = OLD_TOWN;
  return column >= firstColumn && column <= lastColumn && row >= firstRow && row <= lastRow;
}

function addOneWay(map: StreetMap, here: string, there: string, isForward: boolean): void {
  if (isForward) map.addStreet(here, there, { kmh: 20, kmhBack: 'none' });
  else map.addStreet(there, here, { kmh: 20, kmhBack: 'none' });
}

/** Six houses along a lane, at the end of a country road. */
function addHamlet(map: StreetMap, { name, from, east, north }: { name: string; from: string; east: number; north: number }): void {
  for (let i = 0; i < 6; i++) {
    map.addNode(`${name}-${i}`, east + 130 * i, north + 40 * (i % 2));
    if (i === 0) map.addStreet(from, `${name}-0`, { kmh: 75 });
    else map.addStreet(`${name}-${i - 1}`, `${name}-${i}`, { kmh: 30 });
  }
}

/** Three houses and a lane in the middle of the river. */
function addIsland(map: StreetMap): void {
  const north = (NORTH_BANK_ROW - 1) * BLOCK_METRES + (BLOCK_METRES + RIVER_METRES) / 2;
  for (const [i, id] of ISLAND_NODES.entries()) {
    map.addNode(id, 8 * BLOCK_METRES + 90 * i, north);
    if (i > 0) map.addStreet(ISLAND_NODES[i - 1]!, id, { kmh: 20 });
  }
}
