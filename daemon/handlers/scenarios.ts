import type { Problem } from '../../core/contract/errors.ts';
import { reader, transaction } from '../../core/db/store.ts';
import { driverInput } from '../../core/drivers/schema.ts';
import { orderInput } from '../../core/orders/schema.ts';
import { scheduleByHand } from '../../core/planning/schedule-by-hand.ts';
import type { Body } from '../../core/records/kind.ts';
import { getRecord, listRecords, type RecordStatus } from '../../core/records/read-records.ts';
import { activateScenario, deactivateScenario } from '../../core/scenarios/activate.ts';
import type { Scenario } from '../../core/scenarios/entity.ts';
import { activeScenarioId, presentScenario, scenarioKind, type SampleKind } from '../../core/scenarios/kind.ts';
import { loadScenario } from '../../core/scenarios/load-scenario.ts';
import { createScenario, updateScenario } from '../../core/scenarios/write-scenario.ts';
import { vehicleInput } from '../../core/vehicles/schema.ts';
import { warehouseInput } from '../../core/warehouses/schema.ts';
import type { EntityManager } from '../../core/db/store.ts';
import type { Answer, Call, Handler, Handlers } from '../call.ts';
import { intentOf } from '../routes.ts';
import { compileBody } from '../validation.ts';
import { created, recordHandlers } from './records.ts';

const judges: Record<SampleKind, (body: unknown) => Problem[]> = {
  warehouses: compileBody(warehouseInput), drivers: compileBody(driverInput), vehicles: compileBody(vehicleInput), orders: compileBody(orderInput),
};

/** A scenario as an answer, with the word whether it is the one that the business routes on. */
const one = (scenario: Scenario, activeId: string | null): Answer => ({ body: presentScenario(scenario, activeId), graphs: [{ path: [], digest: scenario.graphDigest }] });

const write = (call: Call, work: (em: EntityManager) => Promise<Scenario>): Promise<Answer> =>
  transaction(call.service.store, call.businessId, async (em) => {
    const scenario = await work(em);
    return one(scenario, await activeScenarioId(em, call.businessId));
  });

const update: Handler = (call) => write(call, (em) => updateScenario(em, call.businessId, call.params.record_id, call.body, intentOf(call)));

export const scenarioHandlers: Handlers = {
  ...recordHandlers('scenarios', scenarioKind),
  'scenarios.list': async ({ service, businessId, query }) => {
    const em = reader(service.store, businessId);
    const activeId = await activeScenarioId(em, businessId);
    const { records, nextCursor } = await listRecords(em, scenarioKind, businessId, query);
    return {
      body: { items: records.map((scenario) => presentScenario(scenario, activeId)), next_cursor: nextCursor },
      graphs: records.map(({ graphDigest }, index) => ({ path: ['items', index], digest: graphDigest })),
    };
  },
  'scenarios.create': async (call) => {
    const { body, graphs } = await write(call, (em) => createScenario(em, call.businessId, call.body));
    return { ...created(call, 'scenarios', body!, (body as { id: string }).id), graphs };
  },
  'scenarios.get': async ({ service, businessId, params, query }) => {
    const em = reader(service.store, businessId);
    return one(await getRecord(em, scenarioKind, params.record_id, query.record_status as RecordStatus), await activeScenarioId(em, businessId));
  },
  'scenarios.update': update,
  'scenarios.replace': update,
  'scenarios.activate': (call) => write(call, (em) => activateScenario(em, call.businessId, call.params.record_id)),
  'scenarios.deactivate': (call) => write(call, (em) => deactivateScenario(em, call.businessId, call.params.record_id)),
  'scenarios.load': async (call) => ({
    body: await transaction(call.service.store, call.businessId, (em) =>
      loadScenario({ em, businessId: call.businessId, schedule: scheduleByHand, intent: intentOf(call), sampleProblems: judge }, call.params.record_id, call.body)),
  }),
};

const judge = (kind: SampleKind, body: Body): Problem[] => judges[kind](body);
