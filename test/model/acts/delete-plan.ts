import fc from 'fast-check';
import { answers, below, refusal, request, type Act, type Refusal } from '../act.ts';
import { at, isFinished, type Model } from '../state.ts';
import { pick } from './pick.ts';

export const deletePlan: fc.Arbitrary<Act> = fc.nat(60).map((n) => ({ plans }) => {
  const chosen = pick(Object.values(plans), n);
  return chosen && request(`delete the ${chosen.state} plan of ${chosen.vehicleId} on ${chosen.date}`, {
    method: 'DELETE', path: below(`plans/${chosen.id}`),
    steps: (reply) => [(now) => {
      if (answers(reply, 204, refuse(now, chosen.id))) now.plans[chosen.id].isDeleted = true;
    }],
  });
});

/** A version can go when it counts no more. */
function refuse(model: Model, id: string): Refusal {
  const plan = at(model.plans, id);
  if (plan === null) return refusal(404, 'it has been deleted');
  if (plan.state === 'planning') return refusal(409, 'it is a planning version');
  const isOver = plan.stops.every(({ orderId }) => at(model.orders, orderId) === null || isFinished(model.orders[orderId]));
  return plan.state === 'published' && !isOver ? refusal(409, 'its work is not finished') : null;
}
