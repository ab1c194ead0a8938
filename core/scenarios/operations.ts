import { crudOperations } from '../contract/crud.ts';
import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { loadAnswer, loadInput, scenario, scenarioInput, scenarioPatch } from './schema.ts';

const common = { tag: 'scenarios', access: inBusiness('scenarios.write'), errors: usualErrors } as const;
const one = `${businessPath}/scenarios/{record_id}`;

const loadScenario = operation({
  ...common, id: 'scenarios.load', method: 'POST', path: `${one}/load`, summary: 'Create the sample records of a scenario and route on its graph',
  description: 'All or none. The answer holds the activation codes of the drivers that were created.',
  body: loadInput, bodyOptional: true, status: 200, answer: loadAnswer, example: { body: { anchor_date: '2026-03-02', mode: 'merge' } },
});

const activateScenario = operation({
  ...common, id: 'scenarios.activate', method: 'POST', path: `${one}/activate`, summary: 'Route on the graph of a scenario', status: 200, answer: scenario,
});

const deactivateScenario = operation({
  ...common, id: 'scenarios.deactivate', method: 'POST', path: `${one}/deactivate`, summary: 'Stop routing on the graph of a scenario', status: 200, answer: scenario,
});

export const scenarioOperations = [
  ...crudOperations({
    plural: 'scenarios', singular: 'scenario', read: 'scenarios.read', write: 'scenarios.write', bulk: true, textFields: ['nodes', 'edges'],
    record: scenario, input: scenarioInput, patch: scenarioPatch,
    example: {
      name: 'Two corners',
      nodes: [{ id: 'a', x: 13.4, y: 52.5 }, { id: 'b', x: 13.41, y: 52.5 }],
      edges: [{ id: 'ab', from: 'a', to: 'b', time_seconds: 60, distance_meters: 680, bidirectional: true }],
    },
  }),
  loadScenario, activateScenario, deactivateScenario,
];
