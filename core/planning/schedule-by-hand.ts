import { Business } from '../businesses/entity.ts';
import { takeCapacity } from '../businesses/capacity.ts';
import type { EntityManager } from '../db/store.ts';
import type { Order } from '../orders/entity.ts';
import { unplanned } from '../orders/unplanned.ts';
import { Plan } from '../plans/entity.ts';
import { addDays, localDateOf } from '../time/local-dates.ts';
import { shiftsOf } from '../time/shifts.ts';
import { Vehicle } from '../vehicles/entity.ts';
import { getRecord } from '../records/read-records.ts';
import { revisePlan, shiftOfVehicle } from './revise-plan.ts';

/** What an administrator does to the planning version by editing an order. */
export interface ScheduleByHand {
  /** Puts the order on a vehicle at an instant, wherever it was before. */
  place(em: EntityManager, order: Order, at: { vehicleId: string; startAt: Date }): Promise<void>;
  /** Takes it out of its plan; its capacity is free at once. */
  remove(em: EntityManager, order: Order): Promise<void>;
  /** Checks its plan again after an edit of the order. */
  refresh(em: EntityManager, order: Order): Promise<void>;
}

export const scheduleByHand: ScheduleByHand = {
  async place(em, order, { vehicleId, startAt }) {
    const business = await lockedBusiness(em, order.businessId);
    const date = await shiftDateAt(em, business, vehicleId, startAt.getTime());
    const present = await planOf(em, order);
    if (present && !(present.vehicleId === vehicleId && present.shiftDate === date)) await withdraw(em, business, { order, plan: present });
    order.selectedStartAt = startAt;
    await revisePlan(em, business, await shiftOfVehicle(em, business, vehicleId, date), (stops) => [...stops.filter((stop) => stop.order.id !== order.id), { order, startMs: startAt.getTime() }]);
  },
  async remove(em, order) {
    const business = await lockedBusiness(em, order.businessId);
    const plan = await planOf(em, order);
    order.selectedStartAt = null;
    if (plan) await withdraw(em, business, { order, plan });
    else Object.assign(order, unplanned);
  },
  async refresh(em, order) {
    const business = await lockedBusiness(em, order.businessId);
    const plan = await planOf(em, order);
    if (plan) await revisePlan(em, business, await shiftOfVehicle(em, business, plan.vehicleId, plan.shiftDate), (stops) => stops);
  },
};

/** The plan to change; none where the plan or its vehicle has gone since, and the order stands in it as what has been done. */
async function planOf(em: EntityManager, order: Order): Promise<Plan | null> {
  const plan = order.planId ? await em.findOne(Plan, { id: order.planId, state: { $ne: 'superseded' }, deletedAt: null }) : null;
  return plan !== null && (await em.count(Vehicle, { id: plan.vehicleId, deletedAt: null })) > 0 ? plan : null;
}

async function lockedBusiness(em: EntityManager, id: string): Promise<Business> {
  await em.flush();
  await takeCapacity(em, id);
  return em.findOneOrFail(Business, { id }, { refresh: true });
}

async function withdraw(em: EntityManager, business: Business, { order, plan }: { order: Order; plan: Plan }): Promise<void> {
  await revisePlan(em, business, await shiftOfVehicle(em, business, plan.vehicleId, plan.shiftDate), (stops) => stops.filter((stop) => stop.order.id !== order.id));
  Object.assign(order, unplanned);
}

/** The date of the shift that is under way at an instant; where the vehicle does not work then, the local date. */
async function shiftDateAt(em: EntityManager, business: Business, vehicleId: string, atMs: number): Promise<string> {
  const vehicle = await getRecord<Vehicle>(em, { word: 'vehicle', entity: Vehicle }, vehicleId);
  const today = localDateOf(atMs, business.timeZone);
  const shifts = shiftsOf(vehicle.workingHours, business.timeZone, addDays(today, -1), today);
  const holding = shifts.find(({ intervals }) => intervals[0].startMs <= atMs && atMs < intervals[intervals.length - 1].endMs);
  return holding?.date ?? today;
}
