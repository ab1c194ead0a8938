import fc from 'fast-check';
import type { Reply } from '../../support/client.ts';
import type { WorkingHours } from '../../../core/time/working-hours.ts';
import { answers, refusal, type Act, type Refusal, type Step } from '../act.ts';
import { intervalsOn } from '../calendar.ts';
import type { Seen } from '../seen.ts';
import { agree, at, canonical, currentPlans, isLive, same, type Model, type PlanState, type Wire } from '../state.ts';
import { changeByHand, newVersions } from '../versions.ts';
import { otherHours } from '../world.ts';
import { pick } from './pick.ts';

const slip = fc.constantFrom('nothing' as const, 'nothing' as const, 'nothing' as const, 'the revision' as const, 'the epoch' as const, 'acceptance' as const, 'a dry run' as const);
type Slip = typeof slip extends fc.Arbitrary<infer T> ? T : never;

/** Looks at what a change of hours would affect, and makes the change; sometimes it forgets something. */
export const changeHours: fc.Arbitrary<Act> = fc.tuple(fc.nat(5), fc.constantFrom(...otherHours), slip).map(([n, hours, forgets]) => (model) => {
  const chosen = pick(Object.values(model.vehicles), n);
  return chosen && {
    text: `change the hours of ${chosen.id} to ${JSON.stringify(hours)}${forgets === 'nothing' ? '' : `, but for ${forgets}`}`,
    async send(real) {
      const change = { vehicle_id: chosen.id, working_hours: hours };
      const preview = await real.admin.post(`${real.path}/working-hours/preview`, change);
      const { vehicle_revision = 1, preview_epoch = 0 } = preview.status === 200 ? preview.body : {};
      const apply = await real.admin.post(`${real.path}/working-hours/apply${forgets === 'a dry run' ? '?validate_only=true' : ''}`, {
        ...change, accepted: forgets !== 'acceptance', vehicle_revision: vehicle_revision - (forgets === 'the revision' ? 1 : 0), preview_epoch: preview_epoch - (forgets === 'the epoch' ? 1 : 0),
      });
      let asPreviewed = '';
      const look: Step = (now) => {
        if (!answers(preview, 200, refuseUnknown(now, chosen.id))) return;
        same('the epoch of the preview', preview_epoch, now.epoch);
        asPreviewed = stateOf(now, chosen.id);
      };
      return [look, (now, seen) => followApply(now, seen, { id: chosen.id, hours, forgets, preview, apply, isAsPreviewed: stateOf(now, chosen.id) === asPreviewed })];
    },
  };
});

const refuseUnknown = ({ vehicles }: Model, id: string): Refusal => (at(vehicles, id) ? null : refusal(404, 'the vehicle has been deleted'));

/** What must not change between preview and application. */
const stateOf = ({ epoch, vehicles }: Model, id: string): string => canonical([epoch, vehicles[id]]);

interface Change {
  id: string;
  hours: WorkingHours;
  forgets: Slip;
  preview: Reply;
  apply: Reply;
  isAsPreviewed: boolean;
}

function followApply(model: Model, seen: Seen, { id, hours, forgets, preview, apply, isAsPreviewed }: Change): void {
  if (!answers(apply, 200, refuseApply(model, id, { forgets, isAsPreviewed }))) return;
  const facts = ({ affected_order_ids: ids, warnings }: Wire) => [ids, warnings];
  same('what the change affects, after its preview,', facts(apply.body), facts(preview.body));
  const affected = new Set<string>(apply.body.affected_order_ids);
  const vehicle = model.vehicles[id];
  const plans = currentPlans(model).filter((plan) => plan.vehicleId === id);
  const mustLeave = plans.flatMap((plan) => misfits(model, plan, { before: vehicle.hours, after: hours }));
  agree(mustLeave.every((orderId) => affected.has(orderId)), () => `only ${[...affected].join(', ')} are affected, but ${mustLeave.join(', ')} are served outside of the new hours`);
  for (const orderId of affected) agree(model.orders[orderId].planned?.vehicleId === id && !isLive(model.orders[orderId]), () => `${orderId} is said to be affected, but is not planned on ${id}`);
  if (forgets === 'a dry run') return;
  if (canonical(vehicle.hours) !== canonical(hours)) model.epoch++;
  vehicle.hours = hours;
  for (const orderId of affected) model.orders[orderId].selectedStartMs = null;
  for (const plan of plans.toSorted((a, b) => (a.date < b.date ? -1 : 1))) {
    if (newVersions(model, seen).some((row) => row.vehicle_id === id && row.date === plan.date)) changeByHand(model, seen, plan, (stops) => stops.filter(({ orderId }) => !affected.has(orderId)));
  }
  for (const orderId of affected) same(`the place of ${orderId}, which was affected,`, model.orders[orderId].planned, null);
}

function refuseApply(model: Model, id: string, { forgets, isAsPreviewed }: { forgets: Slip; isAsPreviewed: boolean }): Refusal {
  if (forgets === 'acceptance') return refusal(422, 'the impact is not accepted');
  if (at(model.vehicles, id) === null) return refusal(404, 'the vehicle has been deleted');
  return forgets === 'the revision' || forgets === 'the epoch' || !isAsPreviewed ? refusal(409, 'the preview is stale') : null;
}

/** What was served within the hours before and is not within the new ones. */
function misfits(model: Model, { stops, date, vehicleId }: PlanState, { before, after }: { before: WorkingHours; after: WorkingHours }): string[] {
  const isWithin = (hours: WorkingHours, startMs: number, endMs: number) => intervalsOn({ ...model.vehicles[vehicleId], hours }, date).some((each) => each.startMs <= startMs && endMs <= each.endMs);
  return stops.filter(({ orderId, startMs, endMs }) => !isLive(model.orders[orderId]) && isWithin(before, startMs, endMs) && !isWithin(after, startMs, endMs)).map(({ orderId }) => orderId);
}
