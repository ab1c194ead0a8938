import { describe, expect, test } from '@jest/globals';
import type { Vehicle } from '../../../../core/roads/map/vehicle.ts';
import { littleMap } from './little-map.ts';

const truck: Vehicle = { kind: 'truck' };
/** Straight through b, or the long way round over d and e. */
const PICTURE = `
  a b c
  d   e
`;
const around = { ad: {}, de: {}, ec: {} };
/** From beside a to beside c, with the straight way tagged as given. */
const straight = (tags: Record<string, string>, vehicle?: Vehicle, nodes?: Record<string, Record<string, string>>) =>
  littleMap(`
    x a b c y
      d   e
  `, { ways: { xa: {}, cy: {}, abc: tags, ...around }, nodes }).route('xa', 'cy', vehicle);

const STRAIGHT = 'abc';
const AROUND = 'adec';

describe('one-way streets', () => {
  const loop = (tags: Record<string, string>) => {
    const map = littleMap(PICTURE, { ways: { abc: tags, ...around } });
    return [map.route('ad', 'ec'), map.route('ec', 'ad')];
  };
  test.each([
    [{}, ['abc', 'cba']],
    [{ oneway: 'yes' }, ['abc', 'ed']],
    [{ oneway: '1' }, ['abc', 'ed']],
    [{ oneway: '-1' }, ['de', 'cba']],
    [{ oneway: 'no' }, ['abc', 'cba']],
    [{ oneway: 'reversible' }, ['de', 'ed']],
    [{ junction: 'roundabout' }, ['abc', 'ed']],
    [{ highway: 'motorway' }, ['abc', 'ed']],
    [{ highway: 'motorway', oneway: 'no' }, ['abc', 'cba']],
    [{ highway: 'motorway_link' }, ['abc', 'cba']],
    [{ oneway: 'yes', 'oneway:motor_vehicle': 'no' }, ['abc', 'cba']],
    [{ 'motor_vehicle:forward': 'no' }, ['de', 'cba']],
    [{ 'vehicle:backward': 'no' }, ['abc', 'ed']],
  ])('%j', (tags, routes) => {
    const fast = { maxspeed: '100' };
    const [there, back] = loop({ ...fast, ...tags });
    expect([there, back]).toEqual(routes);
  });

  test('a place on one is reached and left only with the traffic', () => {
    const map = littleMap(PICTURE, { ways: { abc: { oneway: 'yes' }, ...around } });
    expect([map.route('de', 'bc'), map.route('bc', 'de')]).toEqual(['dab', 'ce']);
    expect(map.place('bc').directions).toHaveLength(1);
  });
});

describe('access', () => {
  test.each<[Record<string, string>, car: string, truck: string]>([
    [{ access: 'no' }, AROUND, AROUND],
    [{ access: 'no', motor_vehicle: 'yes' }, STRAIGHT, STRAIGHT],
    [{ vehicle: 'no', motorcar: 'yes' }, STRAIGHT, AROUND],
    [{ motor_vehicle: 'no', hgv: 'yes' }, AROUND, STRAIGHT],
    [{ hgv: 'no' }, STRAIGHT, AROUND],
    [{ hgv: 'destination' }, STRAIGHT, AROUND],
    [{ motorcar: 'no' }, AROUND, STRAIGHT],
    [{ access: 'permissive' }, STRAIGHT, STRAIGHT],
    [{ access: 'private' }, AROUND, AROUND],
    [{ motor_vehicle: 'destination' }, AROUND, AROUND],
    [{ access: 'customers' }, AROUND, AROUND],
    [{ motor_vehicle: 'agricultural' }, AROUND, AROUND],
    [{ motor_vehicle: 'agricultural;destination' }, AROUND, AROUND],
    [{ access: 'nobody_knows' }, STRAIGHT, STRAIGHT],
    [{ bicycle: 'no', foot: 'no' }, STRAIGHT, STRAIGHT],
    [{ highway: 'track', tracktype: 'grade1' }, AROUND, AROUND],
    [{ highway: 'track', tracktype: 'grade1', motor_vehicle: 'yes' }, STRAIGHT, STRAIGHT],
    [{ highway: 'pedestrian' }, AROUND, AROUND],
    [{ highway: 'footway' }, AROUND, AROUND],
    [{ highway: 'construction' }, AROUND, AROUND],
    [{ area: 'yes' }, AROUND, AROUND],
    [{ service: 'emergency_access', highway: 'service' }, AROUND, AROUND],
    [{ smoothness: 'impassable' }, AROUND, AROUND],
  ])('%j', (tags, car, forTrucks) => {
    expect([straight({ maxspeed: '100', ...tags }), straight({ maxspeed: '100', ...tags }, truck)]).toEqual([car, forTrucks]);
  });

  test('a journey may begin and end on a private road, and on both sides of it', () => {
    const map = littleMap('x a b c d y\n  e     f', { ways: { xa: {}, ab: {}, bc: { access: 'private', maxspeed: '50' }, cd: {}, dy: {}, ae: {}, ef: {}, fd: {} } });
    expect([map.route('xa', 'bc'), map.route('dy', 'bc'), map.route('bc', 'xa'), map.route('bc', 'dy')]).toEqual(['ab', 'dc', 'ba', 'cd']);
    expect(map.route('xa', 'dy')).toBe('aefd');
  });

  test('a street of a pedestrian zone that is open for deliveries is an end', () => {
    expect(straight({ highway: 'pedestrian', motor_vehicle: 'delivery' })).toBe(AROUND);
    const map = littleMap('x a b c', { ways: { xa: {}, ab: {}, bc: { highway: 'pedestrian', motor_vehicle: 'delivery' } } });
    expect(map.route('xa', 'bc')).toBe('ab');
  });

  test('a village behind a private road is reached all the same, but is no way through', () => {
    const map = littleMap(`
      a b c d e
      f       g
    `, { ways: { ab: { access: 'private' }, bc: {}, cd: {}, de: { access: 'private' }, af: {}, fg: {}, ge: {} } });
    expect([map.route('fg', 'bc'), map.route('bc', 'fg'), map.route('bc', 'cd')]).toEqual(['fab', 'baf', 'c']);
    expect(map.route('af', 'ge')).toBe('fg');
    expect(map.summary.graphs.car).toMatchObject({ closedNodes: 4, enclosedNodes: 4 });
  });

  test('two towns that only a private road joins stay joined', () => {
    const map = littleMap('a b c d e f', { ways: { ab: {}, bc: {}, cd: { access: 'private' }, de: {}, ef: {} } });
    expect([map.route('ab', 'ef'), map.route('ef', 'ab')]).toEqual(['bcde', 'edcb']);
  });
});

describe('barriers', () => {
  test.each<[Record<string, string>, car: string, truck: string]>([
    [{ barrier: 'bollard' }, AROUND, AROUND],
    [{ barrier: 'block' }, AROUND, AROUND],
    [{ barrier: 'bollard', bollard: 'rising' }, STRAIGHT, STRAIGHT],
    [{ barrier: 'bollard', motor_vehicle: 'yes' }, STRAIGHT, STRAIGHT],
    [{ barrier: 'gate' }, STRAIGHT, STRAIGHT],
    [{ barrier: 'gate', access: 'no' }, AROUND, AROUND],
    [{ barrier: 'gate', locked: 'yes' }, AROUND, AROUND],
    [{ barrier: 'gate', access: 'private' }, AROUND, AROUND],
    [{ barrier: 'lift_gate', hgv: 'no' }, STRAIGHT, AROUND],
    [{ barrier: 'cattle_grid' }, STRAIGHT, STRAIGHT],
    [{ barrier: 'kerb' }, STRAIGHT, STRAIGHT],
    [{ barrier: 'height_restrictor', maxheight: '2.1' }, STRAIGHT, STRAIGHT],
  ])('%j', (tags, car, forTrucks) => {
    const slowAround = (vehicle?: Vehicle) => littleMap('x a b c y\n  d   e', {
      ways: { xa: {}, cy: {}, abc: { maxspeed: '50' }, ad: { maxspeed: '10' }, de: { maxspeed: '10' }, ec: { maxspeed: '10' } }, nodes: { b: tags },
    }).route('xa', 'cy', vehicle);
    expect([slowAround(), slowAround(truck)]).toEqual([car, forTrucks]);
  });

  test('a gate takes time', () => {
    const seconds = (nodes: Record<string, Record<string, string>>) => littleMap('a b c', { ways: { abc: {} }, nodes }).seconds('ab', 'bc');
    expect(seconds({ b: { barrier: 'gate' } }) - seconds({})).toBeCloseTo(20);
    expect(seconds({ b: { barrier: 'toll_booth' } }) - seconds({})).toBeCloseTo(15);
    // With a limit it is an edge of its own, which costs the same.
    expect(seconds({ b: { barrier: 'gate', maxweight: '10' } }) - seconds({})).toBeCloseTo(20);
  });

  test('both sides of a bollard can be reached, each on its side', () => {
    const map = littleMap(PICTURE, { ways: { abc: {}, ...around }, nodes: { b: { barrier: 'bollard' } } });
    expect([map.route('ab', 'bc'), map.route('bc', 'ab')]).toEqual(['adec', 'ceda']);
  });

  test('where several roads meet, a closed one closes all and one for some is passed over', () => {
    const ways = { ab: {}, bc: {}, bd: {} };
    const picture = 'a b c\n  d  ';
    expect(littleMap(picture, { ways, nodes: { b: { barrier: 'block' } } }).route('ab', 'bc')).toBe('none');
    const map = littleMap(picture, { ways, nodes: { b: { barrier: 'gate', access: 'private' } } });
    expect([map.route('ab', 'bc'), map.summary.barriersPassedOver]).toEqual(['b', 1]);
  });
});

describe('ferries', () => {
  const ferry = (tags: Record<string, string>, vehicle?: Vehicle) => {
    const map = littleMap('a b c d e', { ways: { ab: {}, bcd: { route: 'ferry', ...tags }, de: {} } });
    return [map.route('ab', 'de', vehicle), map.route('de', 'ab', vehicle)];
  };
  test.each<[Record<string, string>, string]>([
    [{}, 'bcd'], [{ motor_vehicle: 'yes', foot: 'yes' }, 'bcd'], [{ motorcar: 'yes' }, 'bcd'], [{ motorcar: 'no' }, 'none'], [{ foot: 'yes' }, 'none'], [{ bicycle: 'yes', foot: 'yes' }, 'none'],
  ])('%j', (tags, route) => {
    expect(ferry(tags)[0]).toBe(route);
  });

  test('may go one way only, and not for trucks', () => {
    expect(ferry({ oneway: 'yes' })).toEqual(['bcd', 'none']);
    expect(ferry({ motorcar: 'yes', hgv: 'no' }, truck)).toEqual(['none', 'none']);
    expect([ferry({ motorcar: 'no' }, truck)[0], ferry({ motorcar: 'yes', foot: 'yes' }, truck)[0], ferry({ access: 'no' }, truck)[0]]).toEqual(['none', 'bcd', 'none']);
  });

  test.each([['10', 600], ['00:10', 600], ['01:30:00', 5400], ['PT10M', 600], ['soon', 48]])('that take %s', (duration, seconds) => {
    const map = littleMap('a b c d e', { ways: { ab: {}, bcd: { route: 'ferry', duration }, de: {} } });
    const land = littleMap('a b d e', { ways: { ab: {}, bd: {}, de: {} } });
    expect(Math.abs(map.seconds('ab', 'de') - (land.seconds('ab', 'de') - 14.4) - seconds)).toBeLessThan(0.01);
  });

  test('are no place to stop at', () => {
    const map = littleMap('a b c d e', { ways: { ab: {}, bcd: { route: 'ferry' }, de: {} } });
    expect(() => map.place('c')).toThrow('no road');
  });

  test('with a train through the mountain are like others', () => {
    expect(littleMap('a b c d', { ways: { ab: {}, bc: { route: 'shuttle_train' }, cd: {} } }).route('ab', 'cd')).toBe('bc');
  });
});

describe('turn restrictions', () => {
  /** A crossroads with ways around: from s north to n, west to w, east to e. */
  const CROSS = `
    f n g
    w x e
    h s i
  `;
  const ways = { sx: {}, xn: {}, wx: {}, xe: {}, fn: {}, ng: {}, fw: {}, wh: {}, hs: {}, si: {}, ie: {}, eg: {} };
  const cross = (...restrictions: [string, Record<string, string>?][]) => littleMap(CROSS, { ways, restrictions });

  test.each<[string, from: string, to: string, free: string, restricted: string]>([
    ['no_left_turn sx x wx', 'sx', 'wx', 'x', 'shw'],
    ['no_right_turn sx x xe', 'sx', 'xe', 'x', 'sie'],
    ['no_straight_on sx x xn', 'sx', 'xn', 'x', 'sieg'],
    ['only_straight_on sx x xn', 'sx', 'wx', 'x', 'shw'],
    ['only_right_turn sx x xe', 'sx', 'xn', 'x', 'sieg'],
    ['only_left_turn sx x wx', 'sx', 'wx', 'x', 'x'],
    ['no_entry sx x xn', 'sx', 'xn', 'x', 'sieg'],
    ['no_exit sx x xn', 'sx', 'xn', 'x', 'sieg'],
  ])('%s', (words, from, to, free, restricted) => {
    expect(cross().route(from, to)).toBe(free);
    // Which of several ways around is taken does not matter here.
    expect(cross([words]).route(from, to) === 'x').toBe(restricted === 'x');
  });

  test('hold for the direction they are mapped in only', () => {
    const map = cross(['no_left_turn sx x wx']);
    expect([map.route('wx', 'sx'), map.route('xe', 'wx'), map.route('sx', 'xn')]).toEqual(['x', 'x', 'x']);
  });

  test.each<[string, Record<string, string>, car: boolean, truck: boolean]>([
    ['no_left_turn sx x wx', {}, true, true],
    ['no_left_turn sx x wx', { except: 'psv;bicycle' }, true, true],
    ['no_left_turn sx x wx', { except: 'motorcar' }, false, true],
    ['no_left_turn sx x wx', { except: 'psv;hgv' }, true, false],
    ['no_left_turn sx x wx', { except: 'motor_vehicle' }, false, false],
    ['- sx x wx', { 'restriction:hgv': 'no_left_turn' }, false, true],
    ['- sx x wx', { 'restriction:motorcar': 'no_left_turn' }, true, false],
    ['- sx x wx', { 'restriction:bicycle': 'no_left_turn' }, false, false],
    ['- sx x wx', { 'restriction:conditional': 'no_left_turn @ (Mo-Fr)' }, false, false],
    ['no_left_turn sx x wx', { hour_on: '07:00', hour_off: '09:00' }, false, false],
    ['give_way sx x wx', {}, false, false],
  ])('%s with %j', (words, tags, car, forTrucks) => {
    const map = cross([words, tags]);
    const isRestricted = (vehicle: Vehicle) => map.route('sx', 'wx', vehicle) !== 'x';
    expect([isRestricted({ kind: 'car' }), isRestricted(truck)]).toEqual([car, forTrucks]);
  });

  test('that are not used are counted with the reason', () => {
    const map = cross(
      ['- sx x wx', { 'restriction:conditional': 'no_left_turn @ (Mo-Fr)' }], ['- sx x wx', { 'restriction:bicycle': 'no_left_turn' }], ['no_left_turn sx n wx'], ['no_left_turn sx x zz'], ['only_left_turn sx x zz'], ['no_left_turn sx x wx'],
    );
    expect(map.summary.restrictionGaps).toEqual({ conditional: 1, other_vehicles: 1, incomplete: 0, ambiguous: 0, moot: 0 });
    expect(map.summary.graphs.car).toMatchObject({ restrictionsUsed: 1, restrictionGaps: { incomplete: 2, moot: 1 } });
  });

  test('on a way that goes on beyond the junction are ambiguous and not used', () => {
    const map = littleMap(CROSS, { ways: { ...ways, wxe: {}, wx: { highway: 'footway' }, xe: { highway: 'footway' } }, restrictions: [['no_left_turn sx x wxe']] });
    expect(map.summary.graphs.car!.restrictionGaps).toEqual({ ambiguous: 1 });
    expect(map.route('sx', 'wx')).toBe('x');
  });

  test('against turning back hold also at a blind end', () => {
    const map = (...restrictions: [string][]) => littleMap('a b c', { ways: { ab: { oneway: 'yes' }, bc: {} }, restrictions });
    expect(map().route('bc', 'bc')).toBe('');
    const [free, restricted] = [map(), map(['no_u_turn bc c bc'])];
    const turning = (each: typeof free) => each.journey('ab', 'bc')!;
    expect(turning(free).milliseconds).toBe(turning(restricted).milliseconds);
    expect(free.map.graphs.car!.arcCount - restricted.map.graphs.car!.arcCount).toBe(1);
  });

  test('of two that allow one way on each, both ways are allowed', () => {
    const map = cross(['only_straight_on sx x xn'], ['only_right_turn sx x xe']);
    expect([map.route('sx', 'xn'), map.route('sx', 'xe')]).toEqual(['x', 'x']);
    expect(map.route('sx', 'wx')).not.toBe('x');
  });

  describe('over a way', () => {
    /** A dual carriageway: n lies across, from s up to x, over the link to y, and back or on. */
    const LINK = `
      n   m
      x   y

      s   t
    `;
    const linked = { sx: {}, xn: {}, xy: {}, ym: {}, yt: {}, nm: { maxspeed: '4' }, st: { maxspeed: '5' } };
    const link = (...restrictions: [string][]) => littleMap(LINK, { ways: linked, restrictions });

    test('forbid the whole of it and none of its parts', () => {
      const map = link(['no_u_turn sx xy yt']);
      expect(link().route('sx', 'yt')).toBe('xy');
      expect(map.route('sx', 'yt')).toBe('st');
      expect([map.route('sx', 'xy'), map.route('xy', 'yt'), map.route('xn', 'yt'), map.route('sx', 'ym')]).toEqual(['x', 'y', 'xy', 'xy']);
    });

    test('allow nothing else at its end', () => {
      const map = link(['only_straight_on sx xy ym']);
      expect([map.route('sx', 'ym'), map.route('sx', 'xn'), map.route('xn', 'yt')]).toEqual(['xy', 'x', 'xy']);
      expect(map.route('sx', 'yt')).toBe('st');
    });

    test('may lead over several ways, in any order', () => {
      const picture = 'a b c d e\n  f   g';
      const long = { ab: {}, bc: {}, cd: {}, de: {}, bf: {}, fg: {}, gd: {} };
      for (const words of ['no_straight_on ab bc cd de', 'no_straight_on ab cd bc de']) {
        expect(littleMap(picture, { ways: long, restrictions: [[words]] }).route('ab', 'de')).toBe('bfgd');
      }
      expect(littleMap(picture, { ways: long }).route('ab', 'de')).toBe('bcd');
    });

    test('two that share a part are both obeyed', () => {
      const picture = 'a b c d e\n    f g';
      const one = { oneway: 'yes' };
      const map = littleMap(picture, { ways: { ab: one, bc: one, cd: one, de: one, cf: one, dg: one }, restrictions: [['no_right_turn ab bc cf'], ['no_right_turn bc cd dg'], ['no_straight_on ab bc cd de']] });
      expect([map.route('ab', 'cf'), map.route('ab', 'dg'), map.route('ab', 'de'), map.route('bc', 'dg')]).toEqual(['none', 'none', 'none', 'none']);
      expect([map.route('bc', 'cf'), map.route('bc', 'de'), map.route('ab', 'cd')]).toEqual(['c', 'cd', 'bc']);
    });
  });
});

describe('limits', () => {
  test.each<[Record<string, string>, passes: Vehicle, barred: Vehicle]>([
    [{ maxheight: '2.8' }, { kind: 'truck', heightCentimetres: 280 }, { kind: 'truck', heightCentimetres: 281 }],
    [{ maxheight: '2.8' }, { kind: 'car', heightCentimetres: 200 }, { kind: 'car', heightCentimetres: 290 }],
    [{ maxheight: "12'6\"" }, { kind: 'truck', heightCentimetres: 381 }, { kind: 'truck', heightCentimetres: 382 }],
    [{ maxweight: '7.5' }, { kind: 'truck', weightKilograms: 7500 }, { kind: 'truck', weightKilograms: 7501 }],
    [{ maxweight: '3500 kg' }, { kind: 'car', weightKilograms: 3500 }, { kind: 'truck', weightKilograms: 3600 }],
    [{ maxwidth: '2' }, { kind: 'car', widthCentimetres: 190 }, { kind: 'truck', widthCentimetres: 250 }],
    [{ maxlength: '10 m' }, { kind: 'truck', lengthCentimetres: 1000 }, { kind: 'truck', lengthCentimetres: 1200 }],
    [{ hazmat: 'no' }, { kind: 'truck' }, { kind: 'truck', hasHazardousGoods: true }],
    [{ maxheight: 'default', maxweight: 'none' }, { kind: 'truck', heightCentimetres: 450, weightKilograms: 40_000 }, { kind: 'truck' }],
  ])('%j', (tags, passes, barred) => {
    const isLimit = tags.maxheight !== 'default';
    expect([straight(tags, passes), straight(tags, barred)]).toEqual([STRAIGHT, isLimit ? AROUND : STRAIGHT]);
  });

  test('of a barrier hold for those who pass it, and places on both sides can be reached', () => {
    const high: Vehicle = { kind: 'car', heightCentimetres: 250 };
    const map = littleMap('x a b c y\n  d   e', { ways: { xa: {}, cy: {}, abc: {}, ...around }, nodes: { b: { barrier: 'height_restrictor', maxheight: '2.1' } } });
    expect([map.route('ab', 'bc'), map.route('ab', 'bc', high), map.route('xa', 'bc', high)]).toEqual(['b', 'adec', 'adec']);
  });

  test('a road before a limit is a blind end, where one may turn back', () => {
    const low: Vehicle = { kind: 'truck', heightCentimetres: 400 };
    const map = littleMap('a b c d', { ways: { ab: { oneway: 'yes' }, bc: {}, cd: { maxheight: '3' } } });
    const fork = littleMap('a b c d\n  e    ', { ways: { ab: { oneway: 'yes' }, bc: {}, cd: { maxheight: '3' }, be: {} }, restrictions: [['only_straight_on ab b bc']] });
    expect(map.route('ab', 'cd')).toBe('bc');
    expect([fork.route('ab', 'be', low), fork.route('ab', 'be')]).toEqual(['bcb', 'bcdcb']);
  });

  test('a vehicle is not put where it may not go', () => {
    const map = littleMap(PICTURE, { ways: { abc: { maxweight: '3.5' }, ...around } });
    expect(() => map.place('bc', { kind: 'truck', weightKilograms: 7500 })).toThrow('no road for a truck at bc');
  });
});

describe('turning', () => {
  test('back is done at blind ends only, unless one stops', () => {
    const map = littleMap('x a b c\n  d', { ways: { xa: { oneway: 'yes' }, ab: {}, bc: {}, ad: { oneway: 'yes' } }, restrictions: [['only_straight_on xa a ab']] });
    expect(map.route('xa', 'ad')).toBe('abcba');
    expect(map.route('ab', 'ad')).toBe('a');
  });

  test('costs more across the traffic that comes the other way, on either side of the road', () => {
    const picture = '  n\nw x e\n  s';
    const ways = { sx: {}, xn: {}, wx: {}, xe: {} };
    const [right, left] = (['right', 'left'] as const).map((drivingSide) => littleMap(picture, { ways }, { drivingSide }));
    const [toWest, toEast, on] = [['sx', 'wx'], ['sx', 'xe'], ['sx', 'xn']] as const;
    expect(right.seconds(...toWest)).toBeGreaterThan(right.seconds(...toEast));
    expect(left.seconds(...toWest)).toBeLessThan(left.seconds(...toEast));
    expect(right.seconds(...on)).toBeLessThan(right.seconds(...toEast) - 2);
    expect(right.seconds(...toWest, truck)).toBeGreaterThan(right.seconds(...toWest));
  });

  test('a bend is no turn', () => {
    const map = littleMap('a b\n  c', { ways: { ab: {}, bc: {} } });
    expect(map.seconds('ab', 'bc')).toBeCloseTo(100 / (25 / 3.6), 1);
  });

  test.each([
    [{ highway: 'traffic_signals' }, 2, 2],
    [{ highway: 'traffic_signals', 'traffic_signals:direction': 'forward' }, 2, 0],
    [{ highway: 'traffic_signals', 'traffic_signals:direction': 'backward' }, 0, 2],
    [{ highway: 'crossing' }, 0.5, 0.5],
    [{ highway: 'crossing', crossing: 'traffic_signals' }, 2, 2],
    [{ highway: 'stop', direction: 'forward' }, 2, 0],
    [{ railway: 'level_crossing' }, 2, 2],
  ])('%j on the way costs seconds', (tags, there, back) => {
    const map = (nodes: Record<string, Record<string, string>>) => littleMap('a b c', { ways: { abc: {} }, nodes });
    const more = (from: string, to: string) => map({ b: tags }).seconds(from, to) - map({}).seconds(from, to);
    expect(more('a', 'c')).toBeCloseTo(there);
    expect(more('c', 'a')).toBeCloseTo(back);
  });

  test('signals at a junction are paid by all who pass it', () => {
    const map = (nodes: Record<string, Record<string, string>>) => littleMap('  n\nw x e\n  s', { ways: { sx: {}, xn: {}, wx: {}, xe: {} }, nodes });
    expect(map({ x: { highway: 'traffic_signals' } }).seconds('wx', 'xe') - map({}).seconds('wx', 'xe')).toBeCloseTo(2);
  });
});

describe('the driving side', () => {
  const circle = { ab: {}, bdeb: { junction: 'roundabout' } };
  test('is that of the roundabouts', () => {
    expect(littleMap('a b d\n    e', { ways: circle }).summary.drivingSide).toBe('right');
    const many = littleMap('a b d g h\n    e   i', { ways: { ab: {}, bdeb: { junction: 'roundabout' }, dg: {}, ghig: { junction: 'roundabout' } } });
    expect(many.summary.drivingSide).toBe('left');
    const others = littleMap('a b d g h\n    e   i', { ways: { ab: {}, bedb: { junction: 'roundabout' }, dg: {}, gihg: { junction: 'roundabout' } } });
    expect(others.summary.drivingSide).toBe('right');
  });

  test('is what the country says, or what is asked for', () => {
    const relations = [{ id: 7, members: [], tags: { type: 'boundary', boundary: 'administrative', driving_side: 'left' } }];
    expect(littleMap('a b', { ways: { ab: {} }, relations }).summary.drivingSide).toBe('left');
    expect(littleMap('a b', { ways: { ab: {} }, relations }, { drivingSide: 'right' }).summary.drivingSide).toBe('right');
    expect(littleMap('a b', { ways: { ab: {} } }).summary.drivingSide).toBe('right');
  });
});

describe('odd geometry', () => {
  test('a road that leads back to where it began can be driven around', () => {
    const map = littleMap('x a b\n  d c', { ways: { xa: {}, abcda: { oneway: 'yes' } } });
    expect([map.route('xa', 'bc'), map.route('bc', 'xa')]).toEqual(['ab', 'cda']);
    // To what lies behind on a one-way street one drives all around.
    expect(map.route('bc', 'ab')).toBe('cda');
  });

  test('a road that crosses itself, repeats a node or is only a point is no trouble', () => {
    expect(littleMap('a b c\n  d e', { ways: { abcedb: {} } }).route('ab', 'ce')).toBe('bc');
    expect(littleMap('a b c', { ways: { aabbcc: {} } }).route('ab', 'bc')).toBe('b');
    expect(() => littleMap('a b', { ways: { aa: {} } })).toThrow('holds no road');
  });

  test('a node that the file lacks ends the road', () => {
    const map = littleMap('a b   c d', { ways: { abzcd: {} } });
    expect([map.route('ab', 'cd'), map.route('cd', 'cd')]).toEqual(['none', '']);
  });

  test('two roads between the same junctions are both there', () => {
    const map = littleMap('a b c\n  d', { ways: { ab: {}, bdc: { maxspeed: '120' }, bc: { maxspeed: '10' } } });
    expect(map.route('ab', 'bc')).toBe('b');
    expect(littleMap('a b   c f\n  d e', { ways: { ab: {}, bdec: { maxspeed: '120' }, bc: { maxspeed: '10' }, cf: {} } }).route('ab', 'cf')).toBe('bdec');
  });
});
