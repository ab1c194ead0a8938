import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

/** Shapes on the wire: plain data, so that the command line starts without the ORM and the HTTP server. */
const SHAPES = ['core/*/schema.ts', 'core/*/operations.ts'];

const RESOURCES = [
  'core/contract/', ...SHAPES, 'core/time/', 'core/db/', 'core/records/', 'core/jobs/', 'core/config.ts',
  'core/accounts/', 'core/admins/', 'core/api-keys/', 'core/businesses/', 'core/driver-app/', 'core/drivers/', 'core/events/', 'core/evidence/', 'core/execution/', 'core/notifications/', 'core/orders/', 'core/plans/',
  'core/publications/', 'core/regions/', 'core/scenarios/', 'core/schemas/', 'core/vehicles/', 'core/warehouses/', 'core/webhooks/',
];

/**
 * Who imports whom. The first row that fits a file says what it may import besides its own folder; `*` stands for one name, and a
 * path that ends in a slash for all below it.
 */
const MAP: { from: string[]; to: string[] }[] = [
  { from: ['bin/'], to: ['launch/', 'daemon/main.ts', 'workers/main.ts', 'cli/main.ts'] },
  { from: ['launch/'], to: ['core/config.ts', 'core/db/', 'core/jobs/'] },
  { from: ['daemon/', 'workers/'], to: ['core/'] },
  { from: ['cli/'], to: ['core/operations.ts', 'core/contract/', ...SHAPES, 'launch/commands.ts'] },
  { from: ['scenarios/'], to: ['core/roads/', 'core/contract/', ...SHAPES] },

  { from: SHAPES, to: ['core/contract/', ...SHAPES] },
  { from: ['core/operations.ts'], to: ['core/contract/', ...SHAPES] },
  { from: ['core/roads/map/'], to: ['core/osm/'] },
  { from: ['core/contract/', 'core/osm/', 'core/solver/', 'core/roads/', 'core/verifier/', 'core/time/', 'core/config.ts'], to: [] },
  { from: ['core/oracle/'], to: ['core/solver/'] },
  // What "no way" is in a matrix is the same number on both engines.
  { from: ['core/valhalla/'], to: ['core/roads/travel-matrix.ts'] },
  { from: ['core/db/'], to: ['core/contract/', 'core/records/', 'core/events/', 'core/*/entity.ts'] },
  { from: ['core/records/'], to: ['core/contract/', 'core/time/', 'core/db/'] },
  { from: ['core/jobs/'], to: ['core/contract/', 'core/time/', 'core/db/', 'core/records/', 'core/config.ts'] },
  // Planning and publication work on all resources at once, and so does the switch to other roads.
  { from: ['core/planning/', 'core/plan-routes/', 'core/publications/', 'core/networks/', 'core/availability/', 'core/working-hours/', 'core/regions/'], to: ['core/'] },
  // A scenario is a road network.
  { from: ['core/scenarios/'], to: [...RESOURCES, 'core/roads/'] },
  // What is left under core/ are the resources. They know one another, but not planning, which knows them.
  { from: ['core/*/'], to: RESOURCES },
];

/** Single arrows against the map, each with its reason. */
const EXCEPTIONS: { from: string; to: string; why: string }[] = [
  { from: 'core/orders/write-orders.ts', to: 'core/planning/schedule-by-hand.ts', why: 'assigning an order by hand changes the plan at once' },
  { from: 'core/scenarios/load-scenario.ts', to: 'core/planning/schedule-by-hand.ts', why: 'sample orders may be assigned by hand like any other' },
];

const root = fileURLToPath(new URL('..', import.meta.url));

test('everybody imports whom the map allows', () => {
  expect(allArrows().flatMap(([from, to]) => complaint(from, to) ?? [])).toEqual([]);
});

test('shapes and contract need no package but types', () => {
  const light = sourceFiles().filter((file) => fits(file, ['core/contract/', 'core/operations.ts', ...SHAPES]));
  const packages = light.flatMap((file) => importsOf(read(file)).filter(({ isType, target }) => !isType && !target.startsWith('.')).map(({ target }) => `${file}: ${target}`));
  expect(packages).toEqual([]);
});

test('every exception is still needed', () => {
  const arrows = new Set(allArrows().map(String));
  expect(EXCEPTIONS.filter(({ from, to }) => !arrows.has(`${from},${to}`))).toEqual([]);
});

test('every kind of import is seen', () => {
  expect(importsOf([
    `import { a } from './a.ts';`, `import type { B } from './b.ts';`, `import './c.ts';`, `export * from './d.ts';`,
    `export {\n  e,\n} from './e.ts';`, `const f = await import('./f.ts');`, `new Worker(new URL('./g.ts', import.meta.url));`,
    `import {\n  h,\n  type H,\n} from "../h.ts";`, `type I = import('./i.ts').I;`,
  ].join('\n')).map(({ target }) => target).toSorted()).toEqual(['../h.ts', './a.ts', './b.ts', './c.ts', './d.ts', './e.ts', './f.ts', './g.ts', './i.ts']);
});

test('an arrow that is not on the map is named', () => {
  expect(complaint('core/roads/graph.ts', 'core/time/zones.ts')).toBe(
    'core/roads/graph.ts imports core/time/zones.ts: the map has no arrow from "core/roads/" to "core/time"',
  );
  expect(complaint('cli/plans.ts', 'daemon/app.ts')).toContain('cli/plans.ts imports daemon/app.ts');
  expect(complaint('core/orders/rules.ts', 'core/planning/facts.ts')).toContain('no arrow');
  expect(complaint('daemon/app.ts', 'test/support/client.ts')).toContain('no arrow');
  expect(complaint('core/orders/schema.ts', 'core/orders/entity.ts')).toContain('no arrow');
  expect(complaint('attic/old.ts', 'core/config.ts')).toContain('on no row of the map');
  expect(complaint('core/orders/rules.ts', 'core/orders/entity.ts')).toBeNull();
  expect(complaint('core/orders/schema.ts', 'core/drivers/schema.ts')).toBeNull();
});

function complaint(from: string, to: string): string | null {
  const row = MAP.find((each) => fits(from, each.from));
  if (!row) return `${from} is on no row of the map`;
  // A shape keeps to shapes also within its own folder.
  const isOwnFolder = row.from !== SHAPES && areaOf(from) === areaOf(to);
  if (isOwnFolder || fits(to, row.to) || EXCEPTIONS.some((exception) => exception.from === from && exception.to === to)) return null;
  const pattern = row.from.find((each) => fits(from, [each]));
  return `${from} imports ${to}: the map has no arrow from "${pattern}" to "${areaOf(to)}"`;
}

function fits(file: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const expression = pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]+');
    return new RegExp(`^${expression}${pattern.endsWith('/') ? '' : '$'}`).test(file);
  });
}

/** The folder below core/, or that at the root. */
function areaOf(file: string): string {
  const parts = file.split('/');
  return parts[0] === 'core' ? parts.slice(0, 2).join('/') : parts[0];
}

function allArrows(): [from: string, to: string][] {
  return sourceFiles().flatMap((file) => importsOf(read(file))
    .filter(({ target }) => target.startsWith('.') && target.endsWith('.ts'))
    .map(({ target }): [string, string] => [file, normalize(join(dirname(file), target))]));
}

/** Tests import whom they test. */
function sourceFiles(): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['node_modules', 'test', 'dist', 'coverage'].includes(entry.name) && !entry.name.startsWith('.'))
    .flatMap((folder) => (readdirSync(join(root, folder.name), { recursive: true }) as string[]).map((name) => `${folder.name}/${name}`))
    .filter((file) => file.endsWith('.ts'));
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function importsOf(source: string): { target: string; isType: boolean }[] {
  const patterns = [
    // From the keyword to its path there is neither a quote nor a semicolon.
    /^\s*(?:import|export)\b(?<between>[^'";]*?)from\s*(['"])(?<target>[^'"]+)\2/gm,
    /^\s*import\s*(['"])(?<target>[^'"]+)\1/gm,
    /\bimport\(\s*(['"])(?<target>[^'"]+)\1/g,
    /\bnew URL\(\s*(['"])(?<target>\.[^'"]+)\1/g,
  ];
  return patterns.flatMap((pattern) => [...source.matchAll(pattern)].map(({ groups }) => ({
    target: groups!.target, isType: /^\s*type\b/.test(groups!.between ?? ''),
  })));
}
