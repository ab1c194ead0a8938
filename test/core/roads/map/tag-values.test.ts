import { describe, expect, test } from '@jest/globals';
import { ROAD_CLASSES } from '../../../../core/osm/drivable.ts';
import { accessOf } from '../../../../core/roads/map/access.ts';
import { parseCentimetres, parseKilograms } from '../../../../core/roads/map/limits.ts';
import { parseSpeed, speedOn } from '../../../../core/roads/map/speed.ts';
import { turnMilliseconds } from '../../../../core/roads/map/turn-cost.ts';
import { mayPass, NO_LIMITS, vehicleKindOf } from '../../../../core/roads/map/vehicle.ts';
import { parseDuration, wayRulesOf } from '../../../../core/roads/map/way-rules.ts';

const tags = (record: Record<string, string>) => new Map(Object.entries(record));

test.each([
  ['50', 50], [' 50 ', 50], ['50 km/h', 50], ['30 mph', 48.28032], ['30mph', 48.28032], ['12 knots', 22.224], ['5,5', 5.5], ['none', 140], ['walk', 5],
  ['RU:urban', 60], ['DE:urban', 50], ['XX:rural', 90], ['FR:rural', 80], ['DE:motorway', 140], ['XX:motorway', 130], ['GB:nsl_dual', 113], ['BE-VLG:rural', 70],
  ['DE:zone:30', 30], ['DE:zone30', 30], ['zone20', 20], ['urban', 50], ['50;60', 50], ['80; signals', 80],
  ['signals', null], ['variable', null], ['', null], ['0', null], ['-5', null], ['fast', null], ['50 furlongs', null], ['1e3', null], ['constructor', null], ['9'.repeat(200), null],
])('a limit of "%s" is %s km/h', (text, speed) => {
  const parsed = parseSpeed(text);
  if (speed === null) expect(parsed).toBeNull();
  else expect(parsed).toBeCloseTo(speed, 5);
});

describe('a speed', () => {
  const car = (record: Record<string, string>, roadClass: Parameters<typeof speedOn>[1] = 'residential') => speedOn(tags(record), roadClass, 'car', 'forward');
  const truck = (record: Record<string, string>, roadClass: Parameters<typeof speedOn>[1] = 'residential') => speedOn(tags(record), roadClass, 'truck', 'forward');

  test('is that of the class, or four fifths of a sign', () => {
    expect([car({}), car({}, 'motorway'), car({ maxspeed: '50' }), car({ maxspeed: '120' }, 'motorway')]).toEqual([25, 90, 40, 96]);
  });

  test('may differ by direction', () => {
    const both = tags({ maxspeed: '50', 'maxspeed:backward': '30' });
    expect([speedOn(both, 'residential', 'car', 'forward'), speedOn(both, 'residential', 'car', 'backward')]).toEqual([40, 24]);
  });

  test('is that of the surface, the kind of track and the state of the road where these allow less', () => {
    expect([car({ surface: 'cobblestone' }, 'primary'), car({ surface: 'asphalt' }, 'primary'), car({ tracktype: 'grade5', maxspeed: '60' }, 'track'), car({ smoothness: 'horrible' }, 'primary')]).toEqual([30, 65, 20, 10]);
  });

  test('of trucks is lower, has signs of its own and an end', () => {
    expect([truck({}, 'motorway'), truck({ maxspeed: '130' }, 'motorway'), truck({ maxspeed: '100', 'maxspeed:hgv': '60' }), truck({ 'maxspeed:hgv': '80', maxspeed: '50' })]).toEqual([80, 85, 48, 40]);
    for (const roadClass of ROAD_CLASSES) expect(truck({}, roadClass)).toBeLessThanOrEqual(car({}, roadClass));
  });

  test('in yards and on drives is low', () => {
    expect([car({}, 'service'), car({ service: 'driveway' }, 'service'), car({ service: 'parking_aisle', maxspeed: '50' }, 'service')]).toEqual([15, 8, 8]);
  });

  test('is never zero', () => {
    expect(car({ maxspeed: '0.001' })).toBe(3);
  });
});

test.each([
  ['3.5', 350], ['3,5 m', 350], ['3.5m', 350], ['350 cm', 350], ["12'6\"", 381], ["12'", 366], ['12 ft 6 in', 381], ['11 ft', 335],
  ['default', null], ['none', null], ['below_default', null], ['', null], ['0', null], ['-3', null], ['3 cubits', null], ['3 m or so', null], ['12\'6\'\'x', null], ['constructor', null],
])('a height of "%s" is %s cm', (text, centimetres) => {
  expect(parseCentimetres(text)).toBe(centimetres);
});

test.each([
  ['7.5', 7500], ['7.5 t', 7500], ['7,5t', 7500], ['3500 kg', 3500], ['10 st', 9072], ['16000 lbs', 7257], ['none', null], ['unsigned', null], ['7.5 stone', null],
])('a weight of "%s" is %s kg', (text, kilograms) => {
  expect(parseKilograms(text)).toBe(kilograms);
});

test('limits take no time to read, however odd', () => {
  expect(parseCentimetres(`${'1 '.repeat(18)}!`)).toBeNull();
  expect(parseKilograms('9'.repeat(1_000_000))).toBeNull();
});

test.each([
  ['25', 1500], ['00:25', 1500], ['1:30', 5400], ['01:30:15', 5415], ['PT25M', 1500], ['PT1H30M', 5400], ['P1DT1H', 90_000], ['0', null], ['00:00', null], ['soon', null], ['', null], ['PT', null], ['25 min', null],
])('a duration of "%s" is %s seconds', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

test('the most particular word on access that is understood counts', () => {
  expect(accessOf(tags({ access: 'no', vehicle: 'private', motor_vehicle: '?' }), 'car')).toBe('end');
  expect(accessOf(tags({ access: 'constructor' }), 'car')).toBeNull();
  expect(accessOf(tags({ access: 'yes', 'access:forward': 'no' }), 'truck', 'forward')).toBe('no');
  expect(accessOf(tags({ access: 'yes', 'access:forward': 'no' }), 'truck', 'backward')).toBe('through');
});

test('a turn costs nothing straight on, grows with its angle, and is mirrored with the side of the road', () => {
  expect(turnMilliseconds(0, 'car', 'right')).toBeLessThan(20);
  for (const sign of [1, -1]) {
    const costs = [0, 30, 60, 90, 120, 150, 180].map((degrees) => turnMilliseconds(sign * degrees, 'car', 'right'));
    expect(costs).toEqual(costs.toSorted((a, b) => a - b));
  }
  expect(turnMilliseconds(90, 'car', 'right')).toBe(turnMilliseconds(-90, 'car', 'left'));
  expect(turnMilliseconds(-90, 'car', 'right')).toBeGreaterThan(turnMilliseconds(90, 'car', 'right'));
});

test('vehicles of more than three and a half tonnes are trucks', () => {
  expect([vehicleKindOf(null), vehicleKindOf(3500), vehicleKindOf(3501)]).toEqual(['car', 'car', 'truck']);
  expect(mayPass({ kind: 'truck', weightKilograms: 1e9, hasHazardousGoods: true }, NO_LIMITS)).toBe(true);
});

test('what is no road has no rules', () => {
  expect(wayRulesOf(tags({ building: 'yes' }))).toBeNull();
  expect(wayRulesOf(tags({ highway: 'steps' }))).toBeNull();
  expect(wayRulesOf(tags({ highway: 'residential', access: 'no' }))).toBeNull();
  expect(wayRulesOf(tags({ route: 'bus' }))).toBeNull();
});
