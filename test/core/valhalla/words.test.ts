import { expect, test } from '@jest/globals';
import { buildFailure } from '../../../core/valhalla/build-failure.ts';
import { countIn, stageIn } from '../../../core/valhalla/build-stages.ts';
import { loadFailure } from '../../../core/valhalla/load-failure.ts';
import { decodePolyline } from '../../../core/valhalla/polyline.ts';
import { costingOf, mayPass } from '../../../core/valhalla/profile.ts';
import { stepAside } from '../../../core/valhalla/step-aside.ts';

test.each([
  ['a library of the system', 'valhalla_build_tiles: error while loading shared libraries: libbsd.so.0: cannot open shared object file: No such file or directory', 'libbsd.so.0 is missing. On Debian and Ubuntu: "apt-get install libbsd0".'],
  ['another one, for Node', 'Error: libselinux.so.1: cannot open shared object file: No such file or directory\n  code: \'ERR_DLOPEN_FAILED\'', 'libselinux.so.1 is missing. On Debian and Ubuntu: "apt-get install libselinux1".'],
  ['one of its own', 'Error: libproj.so.15: cannot open shared object file: No such file or directory', 'libproj.so.15 is missing from its npm package. Install that again'],
  ['an old C library', `Error: /lib/x86_64-linux-gnu/libc.so.6: version \`GLIBC_2.28' not found (required by valhalla_node.node)`, 'its C library is too old (GLIBC_2.28 is missing)'],
  ['an old C++ library', `libstdc++.so.6: version \`GLIBCXX_3.4.22' not found`, 'GLIBCXX_3.4.22 is missing'],
  ['musl', 'Error: Error loading shared library ld-linux-x86-64.so.2: No such file or directory (needed by valhalla_node.node)', 'musl system such as Alpine'],
  ['no package', `Error: Cannot find module '@valhallajs/valhallajs'\n  code: 'MODULE_NOT_FOUND'`, 'Install it with "npm install --include=optional"'],
  ['anything else that does not load', `Error: /x/valhalla_node.node: wrong ELF class\n  code: 'ERR_DLOPEN_FAILED'`, 'wrong ELF class'],
])('of %s it is said what helps', (_what, output, words) => {
  expect(loadFailure(output)).toMatchObject({ code: 'unavailable', message: expect.stringContaining(words) });
});

test('what is no failure to load is not taken for one', () => {
  expect(loadFailure('terminate called after throwing an instance of \'std::bad_alloc\'\n  what():  std::bad_alloc')).toBeNull();
  expect(loadFailure('')).toBeNull();
});

const failed = { code: null, signal: null, isOverMemory: false, memoryMbMax: 100, output: '', memoryLimitMb: 500, freeMb: 5000, directory: '/data' };
test.each([
  ['its limit of memory', { ...failed, isOverMemory: true, signal: 'SIGKILL' as const, freeMb: 0 }, 'memory', 'more than the 500 MB of memory that it may have'],
  ['the machine\'s memory', { ...failed, signal: 'SIGKILL' as const }, 'memory', 'no memory left'],
  ['an allocation that failed', { ...failed, signal: 'SIGABRT' as const, output: 'what():  std::bad_alloc' }, 'memory', 'no memory left'],
  ['a full disk', { ...failed, signal: 'SIGSEGV' as const, freeMb: 3.7 }, 'disk_full', 'The disk of /data is full (3 MB are left)'],
  ['a full disk that was written through a map', { ...failed, signal: 'SIGBUS' as const }, 'disk_full', 'is full'],
  ['a file that is none', { ...failed, signal: 'SIGABRT' as const, output: 'instance of \'osmium::pbf_error\'\n  what():  PBF error: unexpected EOF' }, 'bad_map', 'PBF error: unexpected EOF'],
  ['a missing library', { ...failed, code: 127, output: 'libmd.so.0: cannot open shared object file' }, 'unavailable', 'apt-get install libmd0'],
  ['a crash', { ...failed, signal: 'SIGSEGV' as const }, 'build_failed', 'it ended with SIGSEGV'],
  ['an exception', { ...failed, signal: 'SIGABRT' as const, output: 'what():  Could not compute FileSuffix' }, 'build_failed', 'Could not compute FileSuffix'],
  ['an exit code', { ...failed, code: 1 }, 'build_failed', 'it ended with code 1'],
])('a build that failed for %s says so', (_what, end, code, words) => {
  const error = buildFailure(end);
  expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
  expect(error.output).toBe(end.output);
});

test('a line of the log tells the stage or a count, or nothing', () => {
  const line = (text: string) => `2026/11/21 19:48:02.094034 [INFO] ${text}`;
  expect(stageIn(line('Building 7 tiles with 2 threads...'))?.phase).toBe('tiles');
  expect(stageIn(line('Parsing ways...'))).toBeNull();
  expect(stageIn('')).toBeNull();
  expect(countIn(line('Finished with 49476 routable ways containing 398741 nodes'))).toEqual({ ways: 49476 });
  expect(countIn(line('Directed Edge Count = 198589'))).toEqual({ edges: 198589 });
  expect(countIn(line('Node Count = 75154'))).toEqual({ nodes: 75154 });
  expect(countIn(line('EdgeInfo Count = 99745'))).toEqual({});
});

test('a polyline is decoded with its six decimals, negative numbers included', () => {
  expect(decodePolyline('')).toEqual([]);
  // The example of the format's description, which has five decimals.
  expect(decodePolyline('_p~iF~ps|U_ulLnnqC_mqNvxq`@')).toEqual([[-12.02, 3.85], [-12.095, 4.07], [-12.6453, 4.3252]]);
  expect(() => decodePolyline('_p~iF~')).toThrow(RangeError);
});

test('a dimension that is not known limits nothing, and one beyond what Valhalla knows stays large', () => {
  expect(costingOf({ costing: 'truck' })).toEqual({ costing: 'truck', costing_options: { truck: { height: 0, width: 0, weight: 0, axle_load: 0, length: 0 } } });
  expect(costingOf({ costing: 'truck', heightMetres: 4, weightKg: 7490 })).toMatchObject({ costing_options: { truck: { height: 4, weight: 7.49 } } });
  expect(costingOf({ costing: 'truck', heightMetres: 99, weightKg: 999_999 })).toMatchObject({ costing_options: { truck: { height: 10, weight: 100 } } });
  expect(costingOf({ costing: 'auto', heightMetres: null, weightKg: 2000 })).toEqual({ costing: 'auto', costing_options: { auto: { height: 0, width: 0 } } });
});

test('a vehicle may stop where no limit that is meant for it is less than it measures', () => {
  const low = { type: 'max_height', value: 2.8, car: true, truck: true };
  const weak = { type: 'max_weight', value: 3.5, car: false, truck: true };
  const isTimed = { type: 'timed_denied', value: 'Mo-Fr', car: true, truck: true };
  expect(mayPass({ costing: 'auto', heightMetres: 2.8, weightKg: 3_400 }, [low, weak, isTimed])).toBe(true);
  expect(mayPass({ costing: 'auto', heightMetres: 2.81 }, [low])).toBe(false);
  expect(mayPass({ costing: 'truck', weightKg: 3_501 }, [weak])).toBe(false);
  expect(mayPass({ costing: 'truck' }, [low, weak])).toBe(true);
  expect(mayPass({ costing: 'truck', weightKg: 12_000 }, [{ ...weak, except_destination: true }])).toBe(true);
});

test('who steps aside goes along the longest road that leads both ways, and nowhere along a stub', () => {
  // Some 111 m for each thousandth of a degree.
  const road = (way: number, ...latitudes: number[]) => ({ edge_info: { way_id: way, shape: latitudes.map((latitude) => [0, latitude] as const) } });
  const [oneWay, twoWays] = [[road(1, 0, 0.003)], [road(2, -0.001, 0), road(2, 0, -0.001)]];
  const [, latitude] = stepAside([0, 0], [...oneWay, ...twoWays])!;
  expect(latitude * 111_195).toBeCloseTo(-8);
  expect(stepAside([0, 0], [...oneWay, road(3, 0, 0.002)])![1] * 111_195).toBeCloseTo(8);
  expect(stepAside([0, 0], [road(1, 0, 0.00002, 0.00004, 0.001)])![1] * 111_195).toBeCloseTo(8);
  expect(stepAside([0, 0], [road(1, 0, 0.0001)])).toBeNull();
  expect(stepAside([0, 0], [{}])).toBeNull();
});
