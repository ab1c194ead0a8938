import fc from 'fast-check';
import type { Reply } from '../../support/client.ts';
import { answers, below, refusal, request, type Act, type Refusal, type Step } from '../act.ts';
import { active, at, currentPlans, isFinished, type Model } from '../state.ts';
import { newDriver, type Real } from '../world.ts';
import { pick } from './pick.ts';

/** What administrators do to drivers. */

export const createDriver: fc.Arbitrary<Act> = fc.constantFrom('anna', 'dora', 'emil').map((id) => () => request(`create the driver ${id}`, {
  method: 'POST', path: below('drivers'), body: () => ({ id, name: id, email: `${id}@drivers.example` }),
  steps: (reply) => [(now) => {
    if (answers(reply, 201, now.drivers[id] ? refusal(409, `the id ${id} is taken`) : null)) now.drivers[id] = newDriver(id, { isSignedIn: false });
  }],
}));

/** Access ends at once; what the driver is at stays as it is. */
export const setActive: fc.Arbitrary<Act> = fc.tuple(fc.nat(5), fc.boolean()).map(([n, isActive]) => ({ drivers }) => {
  const { id } = pick(Object.values(drivers), n)!;
  return request(`${isActive ? 'activate' : 'deactivate'} ${id}`, {
    method: 'PATCH', path: below(`drivers/${id}`), body: () => ({ active: isActive }),
    steps: (reply) => [(now) => {
      if (!answers(reply, 200, at(now.drivers, id) ? null : refusal(404, 'they have been deleted'))) return;
      now.drivers[id].isActive = isActive;
      if (!isActive) now.drivers[id].isSignedIn = false;
    }],
  });
});

/** All sessions end; with the new code the driver signs in once, and not a second time. */
export const resetDriver: fc.Arbitrary<Act> = fc.tuple(fc.nat(5), fc.boolean()).map(([n, signsIn]) => ({ drivers }) => {
  const { id } = pick(Object.values(drivers), n)!;
  return {
    text: `reset ${id}${signsIn ? ', who signs in' : ''}`,
    async send(real) {
      const reply = await real.admin.post(`${real.path}/drivers/${id}/reset`);
      const reset: Step = (now) => {
        if (answers(reply, 200, at(now.drivers, id) ? null : refusal(404, 'they have been deleted'))) now.drivers[id].isSignedIn = false;
      };
      if (reply.status !== 200 || !signsIn) return [reset];
      const [first, second] = [await signIn(real, id, reply), await signIn(real, id, reply)];
      return [reset, (now) => {
        const { isActive, isDeleted } = now.drivers[id];
        const expected: Refusal = isDeleted ? refusal(401, 'they have been deleted') : isActive ? null : refusal(403, 'they are not active');
        if (answers(first, 201, expected)) Object.assign(now.drivers[id], { hasApp: true, isSignedIn: true });
        answers(second, 201, expected ?? refusal(401, 'the code has been used'));
      }];
    },
  };
});

async function signIn(real: Real, id: string, { body }: Reply): Promise<Reply> {
  const reply = await real.service.anonymous.post('/api/v1/driver/sessions', { activation_code: body.activation_code });
  if (reply.status === 201) real.apps.set(id, real.admin.as(reply.body.access_token));
  return reply;
}

export const deleteDriver: fc.Arbitrary<Act> = fc.nat(5).map((n) => ({ drivers }) => {
  const { id } = pick(Object.values(drivers), n)!;
  return request(`delete the driver ${id}`, {
    method: 'DELETE', path: below(`drivers/${id}`),
    steps: (reply) => [(now) => {
      if (!answers(reply, 204, whyDriverStays(now, id))) return;
      Object.assign(now.drivers[id], { isDeleted: true, isSignedIn: false });
      for (const order of active(now.orders)) if (order.selectedDriverId === id && !isFinished(order)) order.selectedDriverId = null;
    }],
  });
});

function whyDriverStays(model: Model, id: string): Refusal {
  if (at(model.drivers, id) === null) return refusal(404, 'they have been deleted');
  const open = active(model.orders).filter((order) => !isFinished(order));
  if (open.some(({ published }) => published?.driverId === id)) return refusal(409, 'they have published work that is not finished');
  if (active(model.vehicles).some(({ driverId }) => driverId === id)) return refusal(409, 'they are assigned to a vehicle');
  const isDrafted = currentPlans(model).some(({ state, stops }) => state === 'planning' && stops.some(({ orderId, driverId }) => driverId === id && !isFinished(model.orders[orderId])));
  if (isDrafted) return refusal(409, 'they are in a planning version');
  return open.some(({ replacementDriverId }) => replacementDriverId === id) ? refusal(409, 'they take over at a break') : null;
}
