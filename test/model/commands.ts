import fc from 'fast-check';
import type { AsyncCommand } from 'fast-check';
import { commandOf, type Act } from './act.ts';
import { again } from './acts/again.ts';
import { deletePlan } from './acts/delete-plan.ts';
import { changeDuty, duty, editAsDriver, refresh, reportPosition, workOnOrder } from './acts/driver-app.ts';
import { createDriver, deleteDriver, resetDriver, setActive } from './acts/drivers.ts';
import { editOrder } from './acts/edit-order.ts';
import { changeHours } from './acts/hours.ts';
import { createOrder, creation, deleteOrder } from './acts/orders.ts';
import { planning, preview } from './acts/preview.ts';
import { publication, publish } from './acts/publish.ts';
import { askAgain, askForWindows, confirm, release } from './acts/reservations.ts';
import { createVehicle, createWarehouse, deleteVehicle, deleteWarehouse, editVehicle, editWarehouse } from './acts/resources.ts';
import { letTimePass } from './acts/time.ts';
import { together } from './acts/together.ts';
import type { Model } from './state.ts';
import type { Real } from './world.ts';

const weighted: [name: string, weight: number, acts: fc.Arbitrary<Act>][] = [
  ['create an order', 10, createOrder], ['edit an order', 16, editOrder], ['delete an order', 3, deleteOrder],
  ['plan', 10, preview], ['publish', 14, publish], ['delete a plan', 2, deletePlan],
  ['ask for windows', 5, askForWindows], ['confirm', 5, confirm], ['ask again and confirm', 3, askAgain], ['release', 1, release],
  ['change hours', 3, changeHours],
  ['edit a vehicle', 3, editVehicle], ['create a vehicle', 1, createVehicle], ['delete a vehicle', 2, deleteVehicle],
  ['move a warehouse', 1, editWarehouse], ['create a warehouse', 1, createWarehouse], ['delete a warehouse', 1, deleteWarehouse],
  ['create a driver', 1, createDriver], ['activate or deactivate a driver', 2, setActive], ['reset a driver', 2, resetDriver], ['delete a driver', 2, deleteDriver],
  ['duty', 6, changeDuty], ['work on an order', 16, workOnOrder], ['edit as a driver', 3, editAsDriver], ['report a position', 3, reportPosition], ['refresh', 1, refresh],
  ['let time pass', 3, letTimePass],
];

const oneOf = (names: string[]): fc.Arbitrary<Act> => fc.oneof(...weighted.filter(([name]) => names.includes(name)).map(([, weight, arbitrary]) => ({ weight, arbitrary })));

const posts = oneOf(['create an order', 'publish', 'ask for windows', 'confirm', 'create a vehicle', 'create a driver', 'duty', 'work on an order']);
const rivals = oneOf([
  'create an order', 'edit an order', 'delete an order', 'plan', 'publish', 'delete a plan', 'confirm', 'release', 'change hours', 'edit a vehicle', 'delete a vehicle', 'delete a driver', 'activate or deactivate a driver', 'duty', 'work on an order', 'edit as a driver',
]);

type ModelCommand = AsyncCommand<{ model: Model; log: string[] }, Real>;

/** fast-check takes each of the arbitraries as often as any other, so the weights are inside of one. */
export const actions: fc.Arbitrary<ModelCommand>[] = [
  fc.oneof(
    ...weighted.map(([name, weight, acts]) => ({ weight, arbitrary: acts.map((act) => commandOf(act, name)) })),
    { weight: 4, arbitrary: again(posts).map((act) => commandOf(act, 'again')) },
    { weight: 14, arbitrary: together(rivals).map((act) => commandOf(act, 'together')) },
  ),
];

const plain = { isBreak: false, window: { kind: 0, day: 0 }, vehicle: undefined, driver: undefined, replacement: undefined, start: undefined, custom: undefined };
const orders = [
  ...[0, 1, 2, 3].map((minute) => creation({ ...plain, id: minute, minute, duration: minute % 3 })),
  creation({ ...plain, id: 4, isBreak: true, minute: 0, duration: 2, window: { kind: 1, day: 1 }, vehicle: 0, replacement: 0 }),
  creation({ ...plain, id: 5, minute: 1, duration: 0, window: { kind: 3, day: 0 }, custom: 1 }),
];
const planned = [...orders, planning({ vehicles: 0, dates: [0, 2], schedule_lock: false, assignment_lock: false, include_planned: false, objectives: undefined, isCancelled: false })];
const published = [...planned, publication({ drafts: 0, others: null, orders: 0, knows: 'revisions', acknowledges: true, isDry: false })];
const onDuty = [...published, ...['anna', 'bert', 'cara'].map((id): Act => (model) => duty(model, model.drivers[id], { online: true }))];

/** Where a sequence begins, so that it comes further than from nothing. */
export const preludes: Record<string, Act[]> = { nothing: [], orders, planned, published, 'on duty': onDuty };
