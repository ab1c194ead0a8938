import { intervalsOn } from './calendar.ts';
import { objections, sentences } from './judge.ts';
import type { Seen } from './seen.ts';
import { active, agree, at, currentPlan, currentPlans, isLive, same, type Model, type OrderState, type PlanState, type StopState, type Wire } from './state.ts';
import { claimVersion, newVersions, saysTheSame, stand } from './versions.ts';

export interface Run {
  job: Wire;
  /** What was asked for. */
  body: Wire;
  asOfMs: number;
}

interface Shift {
  vehicleId: string;
  date: string;
}

/** Takes the plans of a job over, after looking whether they are what was asked for. Which of the good plans it found is up to it. */
export function followRun(model: Model, seen: Seen, run: Run): void {
  const { job, body } = run;
  if (!body.vehicle_ids.every((id: string) => at(model.vehicles, id))) {
    same('the end of a job whose vehicle has been deleted', [job.status, job.error?.code], ['failed', 'validation']);
    return;
  }
  agree(job.status === 'completed', () => `the job ended as ${job.status}: ${JSON.stringify(job.error)}`);
  const before = structuredClone(model);
  const made = newVersions(model, seen).filter(({ job_id: id }) => id === job.id).map((row): PlanState => claimVersion(model, seen, { vehicleId: row.vehicle_id, date: row.date }, job.id));
  const shifts = shiftsOf(model, body);
  for (const plan of made) {
    agree(shifts.some(({ vehicleId, date }) => vehicleId === plan.vehicleId && date === plan.date), () => `the job made a plan for ${plan.vehicleId} on ${plan.date}, which it was not asked for`);
    const present = currentPlan(before, plan.vehicleId, plan.date);
    agree(!saysTheSame(plan.row, present?.row ?? noPlan(model, plan)), () => `the job made a version of ${plan.vehicleId} on ${plan.date} that says what the one before says`);
    stand(model, plan, currentPlan(model, plan.vehicleId, plan.date));
  }
  if (made.length > 0) model.epoch++;
  const kept = shifts.flatMap(({ vehicleId, date }) => currentPlan(model, vehicleId, date) ?? []).filter((plan) => plan.state === 'planning');
  same('the plans that the job names', job.result.plan_ids.toSorted(), kept.map(({ id }) => id).toSorted());
  checkUnplanned(model, before, run);
  // What has gone by altogether may be planned as if it were to come.
  const isReplay = shifts.every(({ vehicleId, date }) => intervalsOn(model.vehicles[vehicleId], date).at(-1)!.endMs <= run.asOfMs);
  for (const plan of made) checkPlan(model, before, plan, isReplay ? { ...run, asOfMs: -Infinity } : run);
  checkKept(model, before, shifts, run);
  const warned = new Set(objections(model, currentPlans(model), []).map(({ message }) => message));
  for (const plan of made) checkWarnings(model, plan, warned);
}

const noPlan = ({ vehicles }: Model, { vehicleId }: PlanState): Wire => ({ driver_id: vehicles[vehicleId].driverId, start_at: null, end_at: null, stops: [], return_leg: null });

function shiftsOf(model: Model, { vehicle_ids: ids, date_start: start, date_end: end }: Wire): Shift[] {
  const dates = model.season.dates.filter((date) => start <= date && date <= end);
  return ids.flatMap((vehicleId: string) => dates.filter((date) => intervalsOn(model.vehicles[vehicleId], date).length > 0).map((date) => ({ vehicleId, date })));
}

/** An order with a pending status is left alone. */
const isToPlan = ({ status, pendingStatus }: OrderState): boolean => pendingStatus === null && (status === 'created' || status === 'on_road');

/** Every order that could have been planned is either planned or has a reason why not. */
function checkUnplanned(model: Model, before: Model, { job, body }: Run): void {
  const listed = job.result.unplanned.map(({ order_id: id }: Wire) => id);
  // What was planned and has lost its place counts among them, but not what a driver has begun elsewhere since.
  const left = active(model.orders).filter((order) => order.planned === null && !isLive(order) && (before.orders[order.id].planned !== null || isToPlan(before.orders[order.id])));
  // A break is of one vehicle: where that was not asked for, or on no date of the break, nothing is said about it.
  const expected = left.filter(({ type, id }) => type === 'task' || listed.includes(id)).map(({ id }) => id);
  same('the orders that the job says it could not plan', listed.toSorted(), expected.toSorted());
  for (const { order_id: id } of job.result.unplanned) {
    const order = model.orders[id];
    agree(order.type === 'task' || body.vehicle_ids.includes(order.selectedVehicleId), () => `the job says that it could not plan the break ${id} of ${order.selectedVehicleId}`);
  }
}

/** What a single plan has to keep to. */
function checkPlan(model: Model, before: Model, plan: PlanState, { asOfMs }: Run): void {
  for (const stop of plan.stops) {
    const order = model.orders[stop.orderId];
    const earlier = before.orders[stop.orderId];
    const name = `${order.id} in the job's plan of ${plan.vehicleId} on ${plan.date}`;
    if (isLive(order)) {
      const { published } = order;
      if (published) same(`${name}, which a driver has begun`, stopOf(stop), { startMs: published.startMs, driverId: published.driverId });
      continue;
    }
    agree(earlier.planned !== null || isToPlan(earlier), () => `${name} should not have been planned`);
    const isNew = earlier.planned === null;
    if (isNew && order.selectedVehicleId) same(`the vehicle of ${name}`, plan.vehicleId, order.selectedVehicleId);
    if (isNew && order.selectedDriverId) same(`the driver of ${name}`, stop.driverId, order.selectedDriverId);
    if (isNew || earlier.planned!.startMs !== stop.startMs) agree(stop.startMs >= asOfMs, () => `${name} starts at ${new Date(stop.startMs).toISOString()}, which has gone by`);
  }
}

const stopOf = ({ startMs, driverId }: StopState) => ({ startMs, driverId });

/** What was planned before stays planned, and stays as far as the locks say. */
function checkKept(model: Model, before: Model, shifts: Shift[], { body, asOfMs }: Run): void {
  // Where what was planned could be driven as it was, nothing has to go.
  const isAhead = shifts.every(({ vehicleId, date }) => intervalsOn(model.vehicles[vehicleId], date)[0].startMs > asOfMs);
  const isSound = isAhead && objections(before, currentPlans(before), []).length === 0;
  for (const { vehicleId, date } of shifts) {
    const present = currentPlan(before, vehicleId, date);
    const ahead = (present?.stops ?? []).filter(({ orderId }) => at(before.orders, orderId) && !isLive(before.orders[orderId]));
    for (const { orderId, startMs, driverId } of ahead) {
      const now = model.orders[orderId].planned;
      const isHeld = !body.include_planned || body.schedule_lock || body.assignment_lock || before.orders[orderId].selectedStartMs !== null;
      agree(now !== null || !(isHeld || isSound), () => `the job dropped ${orderId}, which was planned on ${vehicleId} on ${date}`);
      if (now === null) continue;
      if (body.schedule_lock || before.orders[orderId].selectedStartMs !== null) same(`the start of ${orderId}, which is locked,`, now.startMs, startMs);
      if (body.assignment_lock || !body.include_planned) same(`the vehicle of ${orderId}, which is locked,`, now.vehicleId, vehicleId);
      if (body.assignment_lock) same(`the driver of ${orderId}, which is locked,`, now.driverId, driverId);
      if (!body.include_planned) same(`the date of ${orderId}, which was planned already,`, model.plans[now.planId].date, date);
    }
    if (body.include_planned) continue;
    const order = (stops: StopState[]) => stops.map(({ orderId }) => orderId).filter((id) => ahead.some((stop) => stop.orderId === id));
    same(`the order of what was planned on ${vehicleId} on ${date}`, order(currentPlan(model, vehicleId, date)?.stops ?? []), order(ahead));
  }
}

/** What an administrator or a driver has fixed may be against the rules; then the plan says so. Nothing else may be. */
function checkWarnings(model: Model, plan: PlanState, ofAll: ReadonlySet<string>): void {
  const stated: string[] = plan.row.warnings;
  const others = currentPlans(model).filter((other) => other !== plan);
  const alone = objections(model, [plan], others);
  for (const warning of stated) agree(ofAll.has(warning) || alone.some(({ message }) => message === warning), () => `the job's plan of ${plan.vehicleId} on ${plan.date} warns of what is not so: ${warning}`);
  const unsaid = sentences(alone.filter(({ code }) => !['rest', 'driver_overlap', 'vehicle_overlap'].includes(code))).filter((message) => !stated.includes(message));
  same(`what the job's plan of ${plan.vehicleId} on ${plan.date} does not say`, unsaid, []);
  const isFixed = plan.stops.some(({ orderId }) => isLive(model.orders[orderId]) || model.orders[orderId].selectedStartMs !== null || model.orders[orderId].selectedVehicleId !== null || model.orders[orderId].selectedDriverId !== null);
  if (!isFixed) same(`the warnings of ${plan.vehicleId} on ${plan.date}, where nothing was fixed by hand,`, stated, []);
}
