import { ApiError, conflict, invalidAll, throwIfAny, type Problem } from '../contract/errors.ts';
import { Business } from '../businesses/entity.ts';
import { takeCapacity } from '../businesses/capacity.ts';
import type { EntityManager } from '../db/store.ts';
import { issueActivationCode } from '../drivers/activation.ts';
import { Driver } from '../drivers/entity.ts';
import { driverKind } from '../drivers/kind.ts';
import { Order } from '../orders/entity.ts';
import { createOrders } from '../orders/write-orders.ts';
import type { ScheduleByHand } from '../planning/schedule-by-hand.ts';
import { Plan } from '../plans/entity.ts';
import type { StoredRecord } from '../records/entity.ts';
import { newId } from '../records/ids.ts';
import type { Body, Intent, RecordKind } from '../records/kind.ts';
import { createRecord, lockRecord, markDeleted } from '../records/write-records.ts';
import type { NetworkNode } from '../roads/network.ts';
import { nodesWithIdsInThread } from '../roads/road-threads.ts';
import { Vehicle } from '../vehicles/entity.ts';
import { vehicleKind } from '../vehicles/kind.ts';
import { Warehouse } from '../warehouses/entity.ts';
import { warehouseKind } from '../warehouses/kind.ts';
import { activateScenario } from './activate.ts';
import type { Scenario, ScenarioSamples } from './entity.ts';
import { readField } from './graph-store.ts';
import { sampleKinds, scenarioKind, type SampleKind } from './kind.ts';
import type { SampleRecord } from './schema.ts';
import { datesOf, shiftDates } from './shift-dates.ts';

export interface LoadContext {
  em: EntityManager;
  businessId: string;
  schedule: ScheduleByHand;
  intent: Intent;
  /** Judges a sample as the body of a creation. */
  sampleProblems: (kind: SampleKind, body: Body) => Problem[];
}

const entities = { warehouses: Warehouse, drivers: Driver, vehicles: Vehicle, orders: Order } as const;
/** The fields of a sample that name other samples. */
const references: Record<string, SampleKind> = { warehouse_id: 'warehouses', driver_id: 'drivers', replacement_driver_id: 'drivers', vehicle_id: 'vehicles' };

/** Creates the sample records and routes on the graph, all or nothing. */
export async function loadScenario(context: LoadContext, id: string, { anchor_date: anchorDate, mode = 'merge' }: { anchor_date?: string; mode?: 'merge' | 'replace' }) {
  const { em, businessId } = context;
  await takeCapacity(em, businessId);
  const scenario = await lockRecord<Scenario>(em, scenarioKind, id);
  const { timeZone } = await em.findOneOrFail(Business, { id: businessId });
  await activateScenario(em, businessId, id);
  if (mode === 'replace') await deleteEverything(context);
  const given = withIds(scenario.samples);
  const placed = withLocations(await nodesOf(em, scenario, given), given);
  const dated = anchorDate === undefined ? placed : shiftDates(placed, anchorDate, timeZone);
  refuseWrongSamples(context, dated);
  const { samples, existing, renamed } = await fitIds(em, dated, mode);
  const created = await createSamples(context, samples);
  return {
    created: Object.fromEntries(sampleKinds.map((kind) => [kind, samples[kind].length])),
    existing,
    renamed: Object.fromEntries(sampleKinds.flatMap((kind) => (renamed[kind].size === 0 ? [] : [[kind, Object.fromEntries(renamed[kind])]]))),
    vehicle_ids: dated.vehicles.map(({ id: vehicleId }) => renamed.vehicles.get(String(vehicleId)) ?? vehicleId),
    dates: datesOf(dated.orders, timeZone),
    activation_codes: created,
  };
}

/** Copies, each with an id. Judging a sample trims its names, and the stored scenario shall keep what it was given. */
function withIds(samples: ScenarioSamples): ScenarioSamples {
  const copies = structuredClone(samples);
  for (const sample of sampleKinds.flatMap((kind) => copies[kind])) if (sample.id === undefined) sample.id = newId();
  return copies;
}

/** The nodes that the samples name. */
async function nodesOf(em: EntityManager, { businessId, graphDigest }: Scenario, { warehouses, orders }: ScenarioSamples): Promise<Map<string, NetworkNode>> {
  const ids = [...warehouses, ...orders].flatMap(({ node_id: id }) => (id === undefined ? [] : [String(id)]));
  if (ids.length === 0) return new Map();
  const nodes = await nodesWithIdsInThread(await readField(em, businessId, graphDigest, 'nodes'), ids);
  return new Map(nodes.map((node) => [node.id, node]));
}

/** `node_id` stands for the location of that node. */
function withLocations(nodes: Map<string, NetworkNode>, samples: ScenarioSamples): ScenarioSamples {
  const problems: Problem[] = [];
  const locate = (kind: SampleKind) => (sample: SampleRecord, index: number): SampleRecord => {
    const { node_id: nodeId, ...rest } = sample;
    if (nodeId === undefined) return sample;
    const node = nodes.get(String(nodeId));
    if (node === undefined) problems.push({ path: `/${kind}/${index}/node_id`, message: `names no node: ${JSON.stringify(nodeId)}` });
    if (sample.location !== undefined) problems.push({ path: `/${kind}/${index}/node_id`, message: 'is given besides a location' });
    return { ...rest, location: { latitude: node?.y, longitude: node?.x } };
  };
  const placed = { ...samples, warehouses: samples.warehouses.map(locate('warehouses')), orders: samples.orders.map(locate('orders')) };
  throwIfAny(problems);
  return placed;
}

const problemsMax = 100;

function refuseWrongSamples({ sampleProblems }: LoadContext, samples: ScenarioSamples): void {
  const problems: Problem[] = [];
  for (const kind of sampleKinds) {
    samples[kind].forEach((sample, index) => {
      if (problems.length < problemsMax) problems.push(...sampleProblems(kind, sample).map(({ path, message }) => ({ path: `/${kind}/${index}${path}`, message })));
    });
  }
  throwIfAny(problems);
}

/** By kind, the new id of each old one. */
type Renamed = Record<SampleKind, Map<string, string>>;
type Counts = Record<SampleKind, number>;

/** Merging leaves out what is there already. Replacing gives a sample whose id belongs to a deleted record the next free id. */
async function fitIds(em: EntityManager, samples: ScenarioSamples, mode: 'merge' | 'replace') {
  const fitted = { ...samples };
  const existing: Counts = { orders: 0, warehouses: 0, vehicles: 0, drivers: 0 };
  const renamed: Renamed = { orders: new Map(), warehouses: new Map(), vehicles: new Map(), drivers: new Map() };
  for (const kind of sampleKinds) {
    const ids = samples[kind].flatMap((sample) => (sample.id === undefined ? [] : [String(sample.id)]));
    if (mode === 'merge') {
      const there = new Set((await em.find(entities[kind] as typeof Order, { id: { $in: ids }, deletedAt: null })).map((record) => record.id));
      fitted[kind] = samples[kind].filter((sample) => !there.has(String(sample.id)));
      existing[kind] = there.size;
    } else {
      const deleted = new Set((await em.execute<{ id: string }[]>(`select id from ${kind} where business_id = ?`, [em.getFilterParams('business').businessId])).map((row) => row.id));
      const avoided = new Set([...deleted, ...ids]);
      for (const id of ids.filter((each) => deleted.has(each))) renamed[kind].set(id, nextFree(id, avoided));
    }
  }
  if (mode === 'replace') for (const kind of sampleKinds) fitted[kind] = samples[kind].map((sample) => rename(sample, kind, renamed));
  return { samples: fitted, existing, renamed };
}

const idLengthMax = 120;

/** `id~2`, or the next number that nobody has; from then on it is avoided too. */
function nextFree(id: string, avoided: Set<string>): string {
  for (let number = 2; ; number++) {
    const suffix = `~${number}`;
    const candidate = [...id].slice(0, idLengthMax - suffix.length).join('') + suffix;
    if (avoided.has(candidate)) continue;
    avoided.add(candidate);
    return candidate;
  }
}

function rename(sample: SampleRecord, kind: SampleKind, renamed: Renamed): SampleRecord {
  const copy = { ...sample };
  const ownId = renamed[kind].get(String(sample.id));
  if (ownId !== undefined) copy.id = ownId;
  for (const [field, of] of Object.entries(references)) {
    const target = renamed[of].get(String(sample[field]));
    if (target !== undefined) copy[field] = target;
  }
  return copy;
}

/** Creates what the others refer to first. The activation codes of the drivers, by id. */
async function createSamples(context: LoadContext, samples: ScenarioSamples): Promise<Record<string, string>> {
  const { em, businessId } = context;
  const createAll = async <E extends StoredRecord>(kind: RecordKind<E>, path: SampleKind): Promise<E[]> => {
    const records: E[] = [];
    for (const [index, body] of samples[path].entries()) records.push(await located(`/${path}/${index}`, () => createRecord(em, businessId, kind, body)));
    return records;
  };
  await createAll(warehouseKind, 'warehouses');
  const drivers = await createAll(driverKind, 'drivers');
  const codes: [driverId: string, code: string][] = [];
  for (const driver of drivers) codes.push([driver.id, await issueActivationCode(em, driver)]);
  await createAll(vehicleKind, 'vehicles');
  if (samples.orders.length > 0) await createOrders(context, samples.orders, (index, path) => `/orders/${index}${path}`);
  return Object.fromEntries(codes);
}

/** A problem of one sample is a problem of the scenario at that sample. */
async function located<T>(path: string, create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof ApiError) || error.details.length === 0) throw error;
    const details = error.details.map((problem) => ({ ...problem, path: path + problem.path }));
    throw error.status === 422 ? invalidAll(details) : new ApiError(error.status, error.code, `${path}: ${error.message}`, { details });
  }
}

async function deleteEverything({ em, intent }: LoadContext): Promise<void> {
  if ((await em.count(Order, { status: 'in_progress', deletedAt: null })) > 0) throw conflict('an order is in progress: what is there can not be replaced now');
  for (const entity of [Order, Vehicle, Driver, Warehouse]) {
    for (const record of await em.find(entity as typeof Order, { deletedAt: null })) markDeleted(record, intent);
  }
  for (const plan of await em.find(Plan, { state: { $in: ['planning', 'published'] }, deletedAt: null })) plan.state = 'superseded';
  await em.flush();
  await em.execute('update sessions set revoked_at = now() where business_id = ? and kind = ? and revoked_at is null', [em.getFilterParams('business').businessId, 'driver']);
}
