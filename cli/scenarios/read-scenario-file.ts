import { basename } from 'node:path';
import { readJsonFile } from '../derived/read-data.ts';
import { wrongUsage } from '../failures.ts';

export interface ScenarioFile {
  id: string;
  name: string;
  nodes: unknown[];
  edges: unknown[];
  orders: unknown[];
  warehouses: unknown[];
  vehicles: unknown[];
  drivers: unknown[];
}

export const scenarioLists = ['nodes', 'edges', 'orders', 'warehouses', 'vehicles', 'drivers'] as const;
const requiredLists = ['nodes', 'edges'];
const fields: readonly string[] = ['id', 'name', ...scenarioLists];

/** A scenario as its file has it; a file without an id is called as the file. What the lists hold is checked by the service. */
export function readScenarioFile(path: string): ScenarioFile {
  const file = readJsonFile(path);
  if (file === null || typeof file !== 'object' || Array.isArray(file)) throw wrongUsage(`${path} is no scenario: it must hold a JSON object`);
  const given = file as Record<string, unknown>;
  const problems = [
    ...Object.keys(given).filter((name) => !fields.includes(name)).map((name) => `/${name} is no field of a scenario`),
    ...(['id', 'name'] as const).filter((name) => given[name] !== undefined && typeof given[name] !== 'string').map((name) => `/${name} must be a text`),
    ...scenarioLists.filter((name) => (given[name] === undefined ? requiredLists.includes(name) : !Array.isArray(given[name]))).map((name) => `/${name} must be a list`),
  ];
  if (problems.length > 0) throw wrongUsage(`${path} is no scenario: ${problems.join('; ')}`, 'how a scenario looks is told in scenarios/README.md and by the service at /docs');
  const id = (given.id as string | undefined) ?? basename(path).replace(/\.json$/, '');
  const lists = Object.fromEntries(scenarioLists.map((name) => [name, (given[name] as unknown[] | undefined) ?? []]));
  return { id, name: (given.name as string | undefined) ?? id, ...lists } as ScenarioFile;
}
