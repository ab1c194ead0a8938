import { isDeepStrictEqual } from 'node:util';
import { lockCapacity, takeCapacity } from '../businesses/capacity.ts';
import { Business } from '../businesses/entity.ts';
import { conflict, invalid, stale, throwIfAny } from '../contract/errors.ts';
import { rowLock, transaction, type EntityManager, type Store } from '../db/store.ts';
import { Order } from '../orders/entity.ts';
import { presentOrder } from '../orders/present.ts';
import { revisePlan, shiftOfVehicle } from '../planning/revise-plan.ts';
import { Plan } from '../plans/entity.ts';
import { orderIdsOf } from '../plans/stops.ts';
import { lockRecord } from '../records/write-records.ts';
import { workingHoursProblems } from '../time/working-hours-problems.ts';
import type { WorkingHours } from '../time/working-hours.ts';
import { Vehicle } from '../vehicles/entity.ts';
import { findMisfits, type HoursChange, type PlanMisfits } from './find-misfits.ts';
import type { WorkingHoursApplyInput, WorkingHoursPreviewInput } from './schema.ts';

/** What the change does, or would do: as it is shown. */
export interface WorkingHoursImpact {
  affected_orders: object[];
  affected_order_ids: string[];
  warnings: string[];
  vehicle_revision: number;
  preview_epoch: number;
}

/** Does all that an application does, says what came of it, and takes it back. */
export async function previewWorkingHours(store: Store, businessId: string, input: WorkingHoursPreviewInput): Promise<WorkingHoursImpact> {
  return takenBack(store, businessId, (em) => change(em, businessId, { input, expected: null }));
}

/** Changes the hours and unschedules what does not fit them, where nothing has changed since the preview. */
export async function applyWorkingHours(store: Store, businessId: string, input: WorkingHoursApplyInput, isDryRun: boolean): Promise<WorkingHoursImpact> {
  if (!input.accepted) throw invalid('/accepted', 'must be true: the impact has to be accepted');
  const work = (em: EntityManager) => change(em, businessId, { input, expected: input });
  if (isDryRun) return takenBack(store, businessId, work);
  return (await transaction(store, businessId, work)).after;
}

interface Outcome {
  /** As things stand while nothing is changed. */
  before: WorkingHoursImpact;
  after: WorkingHoursImpact;
}

/** Carries what a dry run has found out of the transaction that is rolled back. */
class TakenBack extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('dry run');
    this.outcome = outcome;
  }
}

async function takenBack(store: Store, businessId: string, work: (em: EntityManager) => Promise<Outcome>): Promise<WorkingHoursImpact> {
  try {
    await transaction(store, businessId, async (em) => {
      throw new TakenBack(await work(em));
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.outcome.before;
    throw error;
  }
  throw new Error('a dry run has not been taken back');
}

interface Wanted {
  input: WorkingHoursPreviewInput;
  /** What the preview answered; null while there is none. */
  expected: Pick<WorkingHoursApplyInput, 'vehicle_revision' | 'preview_epoch'> | null;
}

async function change(em: EntityManager, businessId: string, { input, expected }: Wanted): Promise<Outcome> {
  const hours = input.working_hours as WorkingHours;
  throwIfAny(workingHoursProblems(hours).map(({ path, message }) => ({ path: `/working_hours${path}`, message })));
  const epoch = await lockCapacity(em, businessId);
  const vehicle = await lockRecord<Vehicle>(em, { word: 'vehicle', entity: Vehicle }, input.vehicle_id);
  const before = { vehicle_revision: vehicle.revision, preview_epoch: epoch };
  if (expected) refuseStale(vehicle.id, expected, before);
  const hasChanged = !isDeepStrictEqual(vehicle.workingHours, hours);
  const epochAfter = hasChanged ? await takeCapacity(em, businessId) : epoch;

  const business = await em.findOneOrFail(Business, { id: businessId }, { refresh: true });
  const plans = await plansOf(em, vehicle);
  const hoursChange: HoursChange = { business, vehicle, before: vehicle.workingHours, after: hours };
  if (hasChanged) vehicle.workingHours = hours;
  await em.flush();
  const misfits = await findMisfits(em, hoursChange, plans);
  const affected = misfits.flatMap(({ orders }) => orders);
  const shown = affected.map((order) => presentOrder(order));
  const warnings = await withdraw(em, business, misfits);
  const affectedIds = affected.map(({ id }) => id);
  return {
    before: { affected_orders: shown, affected_order_ids: affectedIds, warnings, ...before },
    after: { affected_orders: affected.map((order) => presentOrder(order)), affected_order_ids: affectedIds, warnings, vehicle_revision: vehicle.revision, preview_epoch: epochAfter },
  };
}

type Snapshot = Pick<WorkingHoursImpact, 'vehicle_revision' | 'preview_epoch'>;

function refuseStale(vehicleId: string, expected: Snapshot, current: Snapshot): void {
  if (expected.vehicle_revision !== current.vehicle_revision) throw stale(`vehicle ${vehicleId}`, expected.vehicle_revision, current.vehicle_revision);
  if (expected.preview_epoch !== current.preview_epoch) throw conflict(`the capacity of the business has changed since the preview: preview_epoch is ${current.preview_epoch} now; ask for a fresh preview`, [{ path: '/preview_epoch', message: `is ${current.preview_epoch} now` }]);
}

/** The current plans of the vehicle that hold an order which can still be taken out; the orders stay as they are until the end. */
async function plansOf(em: EntityManager, vehicle: Vehicle): Promise<Plan[]> {
  const planned = await em.find(Order, { vehicleId: vehicle.id, planId: { $ne: null }, status: { $in: ['created', 'on_road'] }, deletedAt: null }, { fields: ['planId'], disableIdentityMap: true });
  const plans = await em.find(Plan, { id: { $in: [...new Set(planned.map((order) => order.planId!))] }, deletedAt: null }, { orderBy: { shiftDate: 'asc' } });
  await em.find(Order, { id: { $in: plans.flatMap(orderIdsOf) }, deletedAt: null }, { lockMode: rowLock.write, orderBy: { id: 'asc' } });
  return plans;
}

/** Writes the planning versions without the orders that do not fit. What drivers see stays until the next publication. */
async function withdraw(em: EntityManager, business: Business, misfits: PlanMisfits[]): Promise<string[]> {
  const warnings: string[] = [];
  for (const { plan, orders, notes } of misfits) {
    const leaving = new Set(orders.map(({ id }) => id));
    for (const order of orders) order.selectedStartAt = null;
    const shift = await shiftOfVehicle(em, business, plan.vehicleId, plan.shiftDate);
    const version = await revisePlan(em, business, shift, (stops) => stops.filter((stop) => !leaving.has(stop.order.id)));
    warnings.push(...notes, ...version.warnings);
    if (plan.published && orders.some((order) => order.publishedPlanId)) warnings.push(`drivers see the published plan of ${plan.shiftDate} with these orders until that day is published again`);
  }
  return [...new Set(warnings)];
}
