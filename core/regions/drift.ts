import { Business } from '../businesses/entity.ts';
import { reader, rowLock, type EntityManager } from '../db/store.ts';
import { roadUserOf } from '../networks/road-user.ts';
import { notify } from '../notifications/notify.ts';
import { Plan } from '../plans/entity.ts';
import { localDateOf } from '../time/local-dates.ts';
import { Vehicle } from '../vehicles/entity.ts';
import { Warehouse } from '../warehouses/entity.ts';
import type { Chain, Leg } from './build/engine-builder.ts';
import { runMapTask } from './build/run-map-task.ts';
import { datasetDirectory } from './datasets.ts';
import type { Engine, Region } from './entity.ts';
import type { RegionJobContext } from './run-region-job.ts';
import type { Wish } from './region-run.ts';

/** A plan whose travel is another on the new roads. */
export interface PlanDrift {
  plan_id: string;
  vehicle_id: string;
  date: string;
  seconds_before: number;
  /** Of the legs that have a way. */
  seconds_after: number;
  /** Legs that had a way and have none any more. */
  unreachable_legs: number;
}

export interface Drift {
  plans_compared: number;
  /** Plans beyond these were not looked at. */
  legs_max: number;
  changed: PlanDrift[];
}

/** Some minutes of routing on the slower engine. */
const legsMax = 5_000;
/** Both: a tenth, and more than traffic makes from day to day anyway. */
const shareMin = 0.1;
const secondsMin = 300;

/** Plans from today on, driven by their vehicles on the roads that are installed and on those that shall take their place. */
export async function findDrift(context: RegionJobContext, { wish, built }: { wish: Wish; built: string }): Promise<Drift> {
  const none: Drift = { plans_compared: 0, legs_max: legsMax, changed: [] };
  if (wish.installed === null) return none;
  const routes = await readRoutes(reader(context.store, context.run.businessId), context.run.businessId);
  if (routes.length === 0) return none;
  const chains = routes.map(({ chain }) => chain);
  const travel = (engine: Engine, directory: string): Promise<(Leg | null)[][]> => runMapTask('travel', { engine, directory, chains }, { memoryLimitBytes: context.config.mapMemoryBytes, signal: context.signal });
  const before = await travel(wish.installed.engine, datasetDirectory(context.config.dataDirectory, wish.installed.version)).catch((error: unknown) => {
    context.signal.throwIfAborted();
    // Roads that can not be opened any more, those of an older release for instance, keep nobody from getting new ones.
    context.onTrouble?.(error);
    return null;
  });
  if (before === null) return none;
  const after = await travel(wish.engine, built);
  const drifts = routes.map(({ plan }, index) => driftOf(plan, before[index], after[index]));
  return { ...none, plans_compared: drifts.filter((drift) => drift.seconds_before > 0).length, changed: drifts.filter(isDrift) };
}

interface PlannedRoute {
  plan: Pick<Plan, 'id' | 'vehicleId' | 'shiftDate'>;
  chain: Chain;
}

/** Nothing where the business routes on a scenario: its plans have nothing to do with these roads. */
async function readRoutes(em: EntityManager, businessId: string): Promise<PlannedRoute[]> {
  const business = await em.findOneOrFail(Business, { id: businessId });
  if (business.activeScenarioId) return [];
  const today = localDateOf(Date.now(), business.timeZone);
  const plans = await em.find(Plan, { state: { $in: ['planning', 'published'] }, deletedAt: null, shiftDate: { $gte: today } }, { orderBy: [{ shiftDate: 'asc' }, { id: 'asc' }] });
  const vehicles = new Map((await em.find(Vehicle, {})).map((vehicle) => [vehicle.id, vehicle]));
  const warehouses = new Map((await em.find(Warehouse, {})).map((warehouse) => [warehouse.id, warehouse]));
  const routes: PlannedRoute[] = [];
  let legs = 0;
  for (const plan of plans) {
    const vehicle = vehicles.get(plan.vehicleId);
    const warehouse = warehouses.get(vehicle?.warehouseId ?? '');
    if (plan.stops.length === 0 || vehicle === undefined || warehouse === undefined) continue;
    const points = [plan.origin?.location ?? warehouse.location, ...plan.stops.map((stop) => stop.location), warehouse.location];
    legs += points.length - 1;
    if (legs > legsMax) break;
    routes.push({ plan, chain: { user: roadUserOf(vehicle), points } });
  }
  return routes;
}

/** Legs that had no way before tell nothing: they lie outside of the region. */
export function driftOf(plan: PlannedRoute['plan'], before: readonly (Leg | null)[], after: readonly (Leg | null)[]): PlanDrift {
  let [secondsBefore, secondsAfter, unreachable] = [0, 0, 0];
  for (const [index, leg] of before.entries()) {
    if (leg === null) continue;
    secondsBefore += leg.seconds;
    secondsAfter += after[index]?.seconds ?? 0;
    if (after[index] === null) unreachable++;
  }
  return { plan_id: plan.id, vehicle_id: plan.vehicleId, date: plan.shiftDate, seconds_before: secondsBefore, seconds_after: secondsAfter, unreachable_legs: unreachable };
}

export function isDrift({ seconds_before: before, seconds_after: after, unreachable_legs: unreachable }: PlanDrift): boolean {
  const difference = Math.abs(after - before);
  return unreachable > 0 || (difference >= secondsMin && difference >= before * shareMin);
}

/** A warning in each plan that still stands, and one notification for all of them: in the transaction of the switch. */
export async function tellDrift(em: EntityManager, region: Region, version: string, { changed }: Drift): Promise<void> {
  const ids: string[] = [];
  for (const drift of changed) {
    const plan = await em.findOne(Plan, { id: drift.plan_id, state: { $in: ['planning', 'published'] }, deletedAt: null }, { lockMode: rowLock.write, refresh: true });
    if (plan === null) continue;
    plan.warnings = [...plan.warnings, warningOf(region, drift)];
    ids.push(plan.id);
  }
  if (ids.length === 0) return;
  notify(em, region.businessId, {
    kind: 'roads_changed', message: `The new roads of the region ${region.name} change the travel of ${ids.length} ${ids.length === 1 ? 'plan' : 'plans'} from today on; plan again where that matters.`,
    data: { region_id: region.id, dataset_version: version, plan_ids: ids },
  });
}

function warningOf({ name }: Region, { seconds_before: before, seconds_after: after, unreachable_legs: unreachable }: PlanDrift): string {
  const minutes = (seconds: number): number => Math.round(seconds / 60);
  if (unreachable > 0) return `on the new roads of the region ${name} there is no way for ${unreachable} ${unreachable === 1 ? 'leg' : 'legs'} of this plan`;
  return `on the new roads of the region ${name} the travel of this plan takes ${minutes(after)} min instead of ${minutes(before)}`;
}
