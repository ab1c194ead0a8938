import fc from 'fast-check';
import { at as location } from '../../support/line-world.ts';
import { answers, below, refusal, request, type Act, type Refusal } from '../act.ts';
import { active, at, canonical, isFinished, type Model, type VehicleState, type Wire } from '../state.ts';
import { otherHours } from '../world.ts';
import { pick } from './pick.ts';

const vehicleEdits = fc.oneof(
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom('a', 'b') }).map((name) => (_model: Model): Partial<VehicleState> => ({ name })) },
  { weight: 3, arbitrary: fc.nat(5).map((n) => ({ drivers }: Model): Partial<VehicleState> => ({ driverId: pick([...Object.keys(drivers), null], n) })) },
  { weight: 1, arbitrary: fc.nat(3).map((n) => ({ warehouses }: Model): Partial<VehicleState> => ({ warehouseId: pick(Object.keys(warehouses), n)! })) },
  { weight: 2, arbitrary: fc.constantFrom(...otherHours).map((hours) => (): Partial<VehicleState> => ({ hours })) },
);

const bodyOf = ({ name, driverId, warehouseId, hours }: Partial<VehicleState>): Wire => ({
  ...(name === undefined ? {} : { name }), ...(driverId === undefined ? {} : { driver_id: driverId }), ...(warehouseId === undefined ? {} : { warehouse_id: warehouseId }), ...(hours === undefined ? {} : { working_hours: hours }),
});

/** Vehicles refer to a warehouse that is there, and to a driver who is. */
const faultOf = (model: Model, { driverId, warehouseId }: VehicleState): Refusal => {
  if (at(model.warehouses, warehouseId) === null) return refusal(422, 'it names no warehouse');
  return driverId !== null && at(model.drivers, driverId) === null ? refusal(422, 'it names no driver') : null;
};

export const editVehicle: fc.Arbitrary<Act> = fc.tuple(fc.nat(5), vehicleEdits, fc.constantFrom('nothing' as const, 'nothing' as const, 'the revision' as const)).map(([n, edit, knows]) => (model) => {
  const chosen = pick(Object.values(model.vehicles), n);
  if (chosen === null) return null;
  const change = edit(model);
  const asSeen = canonical(chosen);
  return request(`edit ${chosen.id}: ${JSON.stringify(bodyOf(change))}, knowing ${knows}`, {
    method: 'PATCH', path: below(`vehicles/${chosen.id}`),
    body: ({ seen }) => ({ ...bodyOf(change), ...(knows === 'nothing' ? {} : { revision: seen.vehicles.get(chosen.id).revision }) }),
    steps: (reply) => [(now) => {
      const vehicle = now.vehicles[chosen.id];
      const isStale = knows !== 'nothing' && canonical(vehicle) !== asSeen;
      const after = { ...vehicle, ...change };
      const expected = vehicle.isDeleted ? refusal(404, 'it has been deleted') : isStale ? refusal(409, 'the revision is stale') : faultOf(now, after);
      if (!answers(reply, 200, expected)) return;
      if (canonical({ ...vehicle, name: '' }) !== canonical({ ...after, name: '' })) now.epoch++;
      Object.assign(vehicle, after);
    }],
  });
});

export const createVehicle: fc.Arbitrary<Act> = fc.tuple(fc.constantFrom('van', 'bike', 'cart'), fc.nat(5), fc.nat(3), fc.constantFrom(...otherHours)).map(([id, driver, warehouse, hours]) => (model) => {
  const vehicle: VehicleState = { id, name: id, driverId: pick([...Object.keys(model.drivers), null], driver), warehouseId: pick(Object.keys(model.warehouses), warehouse)!, hours, isDeleted: false };
  return request(`create the vehicle ${id} with ${vehicle.driverId} from ${vehicle.warehouseId}`, {
    method: 'POST', path: below('vehicles'), body: () => ({ id, ...bodyOf(vehicle) }),
    steps: (reply) => [(now) => {
      if (!answers(reply, 201, now.vehicles[id] ? refusal(409, `the id ${id} is taken`) : faultOf(now, vehicle))) return;
      now.vehicles[id] = structuredClone(vehicle);
      now.epoch++;
    }],
  });
});

export const deleteVehicle: fc.Arbitrary<Act> = fc.nat(5).map((n) => (model) => {
  const chosen = pick(Object.values(model.vehicles), n);
  return chosen && request(`delete the vehicle ${chosen.id}`, {
    method: 'DELETE', path: below(`vehicles/${chosen.id}`),
    steps: (reply) => [(now) => {
      if (!answers(reply, 204, whyVehicleStays(now, chosen.id))) return;
      now.epoch++;
      now.vehicles[chosen.id].isDeleted = true;
      // Its drafts go with it, and their orders are free again.
      for (const plan of Object.values(now.plans)) if (plan.vehicleId === chosen.id && plan.state === 'planning') plan.state = 'superseded';
      for (const order of active(now.orders).filter(isFinished)) if (order.planned && now.plans[order.planned.planId].state === 'superseded') order.planned = structuredClone(order.published);
      for (const order of active(now.orders).filter((each) => !isFinished(each))) {
        if (order.planned?.vehicleId === chosen.id) Object.assign(order, { planned: null, selectedStartMs: null });
        if (order.selectedVehicleId === chosen.id) order.selectedVehicleId = null;
      }
    }],
  });
});

function whyVehicleStays(model: Model, id: string): Refusal {
  if (at(model.vehicles, id) === null) return refusal(404, 'it has been deleted');
  const open = active(model.orders).filter((order) => !isFinished(order));
  if (open.some(({ published }) => published?.vehicleId === id)) return refusal(409, 'it has published work that is not finished');
  const ofIt = open.filter(({ type, planned, selectedVehicleId }) => type === 'break' && (planned?.vehicleId === id || selectedVehicleId === id));
  return ofIt.length > 0 ? refusal(409, `it has the break ${ofIt[0].id}`) : null;
}

export const editWarehouse: fc.Arbitrary<Act> = fc.tuple(fc.nat(3), fc.constantFrom(0, 10, 3)).map(([n, minute]) => (model) => {
  const chosen = pick(Object.values(model.warehouses), n)!;
  return request(`move the warehouse ${chosen.id} to minute ${minute}`, {
    method: 'PATCH', path: below(`warehouses/${chosen.id}`), body: () => ({ location: location(minute) }),
    steps: (reply) => [(now) => {
      const warehouse = now.warehouses[chosen.id];
      if (!answers(reply, 200, warehouse.isDeleted ? refusal(404, 'it has been deleted') : null)) return;
      if (warehouse.minute !== minute) now.epoch++;
      warehouse.minute = minute;
    }],
  });
});

export const createWarehouse: fc.Arbitrary<Act> = fc.tuple(fc.constantFrom('north', 'south'), fc.constantFrom(0, -5)).map(([id, minute]) => () => request(`create the warehouse ${id} at minute ${minute}`, {
  method: 'POST', path: below('warehouses'), body: () => ({ id, name: id, location: location(minute) }),
  steps: (reply) => [(now) => {
    if (answers(reply, 201, now.warehouses[id] ? refusal(409, `the id ${id} is taken`) : null)) now.warehouses[id] = { id, minute, isDeleted: false };
  }],
}));

export const deleteWarehouse: fc.Arbitrary<Act> = fc.nat(3).map((n) => (model) => {
  const chosen = pick(Object.values(model.warehouses), n)!;
  return request(`delete the warehouse ${chosen.id}`, {
    method: 'DELETE', path: below(`warehouses/${chosen.id}`),
    steps: (reply) => [(now) => {
      const isUsed = active(now.vehicles).some(({ warehouseId }) => warehouseId === chosen.id);
      if (answers(reply, 204, at(now.warehouses, chosen.id) === null ? refusal(404, 'it has been deleted') : isUsed ? refusal(409, 'vehicles begin there') : null)) now.warehouses[chosen.id].isDeleted = true;
    }],
  });
});
