import { describe, expect, test } from '@jest/globals';
import { legTable } from '../../../core/networks/leg-table.ts';
import type { RoadNetwork, VehicleNetwork } from '../../../core/networks/road-network.ts';
import { roadUserOf } from '../../../core/networks/road-user.ts';
import { roadsOf } from '../../../core/networks/roads-of.ts';
import { travelTable } from '../../../core/networks/travel-table.ts';
import { UNREACHABLE } from '../../../core/roads/travel-matrix.ts';

let numberings = 0;

/**
 * A road with a stop at each whole degree, a minute from one to the next. Light vehicles stop anywhere, those above 3500 kg at even degrees
 * only, take twice as long and may not go beyond the fourth degree. How often matrices were asked for, and for how many places, is noted.
 */
function twoRoads() {
  const asked: number[] = [];
  const roads = (step: number, secondsEach: number, last: number): VehicleNetwork => {
    const placeAt = ({ longitude }: { longitude: number }) => Math.floor(longitude / step);
    const seconds = (from: number, to: number) => (from !== to && Math.max(from, to) * step > last ? UNREACHABLE : Math.abs(from - to) * step * secondsEach);
    return {
      numbering: `test ${++numberings}`, find: async () => {}, placeAt, whyNowhere: () => null,
      async matrix(places) {
        asked.push(places.length);
        const all = Int32Array.from(places.flatMap((from) => places.map((to) => seconds(from, to))));
        return { size: places.length, seconds: all, metres: all.map((each) => (each >= UNREACHABLE ? each : 10 * each)) };
      },
      legs: async (pairs) => ({ seconds: Int32Array.from(pairs, ([from, to]) => seconds(from, to)), metres: Int32Array.from(pairs, ([from, to]) => 10 * seconds(from, to)) }),
      reach: () => { throw new Error('nobody asks'); }, lines: () => { throw new Error('nobody draws'); },
    };
  };
  const [light, heavy] = [roads(1, 60, 9), roads(2, 120, 4)];
  const network: RoadNetwork = { version: 'test', attribution: null, for: (vehicle) => (roadUserOf(vehicle).kind === 'truck' ? heavy : light) };
  return { network, asked };
}

const at = (longitude: number) => ({ longitude, latitude: 0 });
const [van, bus, truck] = [{ heightMeters: 2.6, weightKg: 3_500 }, {}, { heightMeters: 3.8, weightKg: 12_000 }];

test('vehicles that use the same roads have one matrix, and others another one between the same places', async () => {
  const { network, asked } = twoRoads();
  const table = (await travelTable(network, { vehicles: [van, truck, bus], locations: [at(0), at(2), at(3), at(6), at(3)] }))!;
  expect(table.matrices).toHaveLength(2);
  expect([van, bus, truck].map(table.matrixOf)).toEqual([0, 0, 1]);
  const places = [0, 2, 3, 6].map((longitude) => table.placeOf(at(longitude)));
  expect(places).toEqual([0, 1, 2, 3]);
  expect(table.travel(van, 0, 1)).toEqual({ seconds: 120, metres: 1_200 });
  expect(table.travel(truck, 0, 1)).toEqual({ seconds: 240, metres: 2_400 });
  // One place to the truck, and two to the van.
  expect(table.travel(van, 1, 2)).toEqual({ seconds: 60, metres: 600 });
  expect(table.travel(truck, 1, 2)).toEqual({ seconds: 0, metres: 0 });
  expect(table.travel(van, 0, 3)).toEqual({ seconds: 360, metres: 3_600 });
  expect(table.travel(truck, 0, 3)).toBeNull();
  expect(asked).toEqual([4, 3]);
  expect(() => table.placeOf(at(5))).toThrow('a point is not in the travel table');
});

test('single legs are those of the vehicle that drives them', async () => {
  const { network } = twoRoads();
  const table = await legTable(network, [{ vehicle: van, legs: [[at(0), at(3)]] }, { vehicle: truck, legs: [[at(0), at(2)], [at(2), at(6)]] }], [at(8)]);
  const travel = (vehicle: object, from: number, to: number) => table.travel(vehicle, table.placeOf(at(from)), table.placeOf(at(to)));
  expect(travel(van, 0, 3)).toEqual({ seconds: 180, metres: 1_800 });
  expect(travel(truck, 0, 2)).toEqual({ seconds: 240, metres: 2_400 });
  expect(travel(truck, 2, 6)).toBeNull();
  expect(table.placeOf(at(8))).not.toBe(table.placeOf(at(0)));
  expect(() => travel(van, 2, 6)).toThrow('a leg has not been learned');
});

test('without vehicles the roads are those of a car, and of a vehicle that was not named nothing is known', async () => {
  const { network } = twoRoads();
  const { networks, indexOf } = roadsOf(network, []);
  expect(networks).toEqual([network.for({})]);
  expect(() => indexOf(truck)).toThrow('a vehicle is not among those');
});

describe('as the roads see a vehicle', () => {
  test.each([
    [{}, { kind: 'car', heightCentimetres: null, weightKilograms: null }],
    [{ heightMeters: null, weightKg: null }, { kind: 'car', heightCentimetres: null, weightKilograms: null }],
    [{ heightMeters: 1.1, weightKg: 3_500 }, { kind: 'car', heightCentimetres: 110, weightKilograms: 3_500 }],
    [{ heightMeters: 2.801, weightKg: 3_500.2 }, { kind: 'truck', heightCentimetres: 281, weightKilograms: 3_501 }],
    [{ heightMeters: 4.35, weightKg: 40_000 }, { kind: 'truck', heightCentimetres: 435, weightKilograms: 40_000 }],
  ])('%j is %j', (vehicle, user) => {
    expect(roadUserOf(vehicle)).toEqual(user);
  });
});
