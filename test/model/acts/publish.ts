import fc from 'fast-check';
import { answers, below, request, type Act } from '../act.ts';
import { followPublication, refusePublication, type Publishing } from '../publication-rules.ts';
import { canonical, type Model, type PlanState } from '../state.ts';
import { some } from './pick.ts';

const requests = fc.record({
  /** 0 means all planning versions. */
  drafts: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.integer({ min: 1, max: 63 }) }),
  others: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 2, arbitrary: fc.nat(30) }),
  orders: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(63) }, { weight: 1, arbitrary: fc.constant(-1) }),
  knows: fc.constantFrom('nothing' as const, 'nothing' as const, 'revisions' as const, 'revisions' as const, 'old revisions' as const),
  acknowledges: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  isDry: fc.oneof({ weight: 7, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

/** Publishes planning versions, sometimes with one that is none, and statuses of orders. */
export const publish: fc.Arbitrary<Act> = requests.map((wanted) => publication(wanted));

type Wanted = typeof requests extends fc.Arbitrary<infer T> ? T : never;

export const publication = ({ drafts, others, orders, knows, acknowledges, isDry }: Wanted): Act => (model) => {
  const inState = (...states: PlanState['state'][]) => Object.values(model.plans).filter(({ state }) => states.includes(state)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const named = drafts === 0 ? inState('planning') : some(inState('planning'), drafts);
  const rest = inState('published', 'superseded');
  if (others !== null && rest.length > 0) named.push(rest[(rest.length - 1 - others % rest.length)]);
  const pending = Object.values(model.orders).filter(({ pendingStatus, isDeleted }) => pendingStatus !== null && !isDeleted);
  const orderIds = (orders === -1 ? pending.filter(({ planned, published }) => planned === null && published === null) : some(Object.values(model.orders), orders)).map(({ id }) => id);
  const planIds = named.map(({ id }) => id);
  const asSeen = Object.fromEntries([...planIds, ...orderIds].map((id) => [id, revisionOf(model, id)]));
  const asked: Publishing = { planIds, orderIds, knows: knows === 'nothing' ? null : knows === 'old revisions' ? 'old' : asSeen, acknowledges };
  return request(`publish ${planIds.map((id) => `${model.plans[id].vehicleId} ${model.plans[id].date} (${model.plans[id].state})`).join(', ')}${orderIds.length > 0 ? ` and ${orderIds.join(', ')}` : ''}, knowing ${knows}${acknowledges ? ', warnings acknowledged' : ''}${isDry ? ', dry' : ''}`, {
    method: 'POST', path: below(`plans/publish${isDry ? '?validate_only=true' : ''}`),
    body: ({ seen }) => ({
      plan_ids: planIds, order_ids: orderIds, acknowledge_warnings: acknowledges,
      ...(knows === 'nothing' ? {} : { expected_revision: [...planIds.map((id) => ({ id, revision: seen.plans.get(id).revision })), ...orderIds.map((id) => ({ id, revision: seen.orders.get(id)!.planning.revision }))].map(({ id, revision }) => ({ id, revision: revision - (knows === 'old revisions' ? 1 : 0) })) }),
    }),
    steps: (reply) => [(now, seen) => {
      const expected = refusePublication(now, asked, reply, revisionOf);
      if (answers(reply, 200, expected) && !isDry) followPublication(now, seen, asked, reply.body);
    }],
  });
};

/** What has to stay the same for a revision to stay. */
function revisionOf({ plans, orders }: Model, id: string): string {
  if (orders[id]) return canonical(orders[id]);
  const { state, isDeleted } = plans[id];
  return canonical([state, isDeleted]);
}
