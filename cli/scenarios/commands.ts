import { parseDate, type Command } from '../command.ts';

export const scenarioCommands: readonly Command[] = [{
  words: ['scenarios', 'load'],
  summary: 'Store a scenario file, create its sample records and route on its graph',
  description: 'A file that is stored already is not sent again; one that has changed updates what is stored. The id of a stored scenario loads that one.',
  operands: [{ name: 'file-or-id', summary: 'a scenario as JSON, or the id of a stored one' }],
  options: [
    { flags: '--anchor-date <date>', summary: 'moves the earliest sample date to this one, the others with it', parse: parseDate },
    { flags: '--mode <mode>', summary: 'replace first deletes the orders, vehicles, drivers and warehouses that are there', choices: ['merge', 'replace'] },
    { flags: '--create-name <text>', summary: 'store it under this name instead of that in the file' },
    { flags: '--id <text>', summary: 'store it under this id instead of that in the file' },
  ],
  examples: ['milkrun scenarios load scenarios/town.json', 'milkrun scenarios load town --anchor-date 2026-05-04 --mode replace'],
  async run(input, context) {
    const { loadScenario } = await import('./load-scenario.ts');
    return loadScenario(input, context);
  },
}];
