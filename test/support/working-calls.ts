import { randomUUID } from 'node:crypto';
import { scopes } from '../../core/contract/scopes.ts';
import type { Operation } from '../../core/contract/operation.ts';
import { password, signedIn } from './business.ts';
import type { Client, Reply } from './client.ts';
import { at, hoursOf, ok, time, type LineWorld, type Plan } from './line-world.ts';

type Body = Record<string, unknown>;

/** A request that has to be granted, in a business where all that it needs is there. */
export interface WorkingCall {
  path: string;
  body?: Body;
  /** The ids of records in the path, by parameter. */
  ids: Record<string, string>;
  /** The ids of other records that the body names. */
  named: string[];
  /** The driver for whom it was prepared. */
  driver?: Client;
}

interface Prepared {
  ids?: Record<string, string>;
  body?: Body;
  named?: string[];
  driver?: Client;
}
type Prepare = (world: LineWorld) => Prepared | Promise<Prepared>;

/** Makes what the operation needs in the business, and the call itself. Every call is prepared for itself: it works once. */
export async function workingCall(operation: Operation, world: LineWorld): Promise<WorkingCall> {
  const prepare = preparations[operation.id];
  if (prepare === undefined) throw new Error(`${operation.id} has no working call: say in test/support/working-calls.ts what it needs`);
  const { ids = {}, named = [], ...rest } = await prepare(world);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? world.id : ids[name]));
  return { path, ids, named, ...rest };
}

export function callOperation(client: Client, { method }: Operation, path: string, body?: unknown): Promise<Reply> {
  switch (method) {
    case 'GET': return client.get(path);
    case 'DELETE': return client.delete(path);
    case 'POST': return client.post(path, body);
    case 'PUT': return client.put(path, body);
    case 'PATCH': return client.patch(path, body);
  }
}

/** Needs nothing. */
const plain: Prepare = () => ({});
const body = (make: () => Body): Prepare => () => ({ body: make() });

const address = (): string => `${randomUUID()}@depot.example`;
const future = { start: time('09:00', '2031-03-03'), end: time('11:00', '2031-03-03') };
const task = { location: at(5), duration_seconds: 600, window_start: time('08:00'), window_end: time('16:00') };
const pixel = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 58, 126, 155, 85, 0, 0, 0, 10, 73, 68, 65, 84, 8, 215, 99, 248, 15, 0, 1, 1, 1, 0, 27, 182, 238, 86, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130];
const photo = { kind: 'photo', content_type: 'image/png', bytes: pixel };

const order = (w: LineWorld, fields: Body = {}): Promise<string> => w.order(randomUUID(), 5, fields);
const driver = (w: LineWorld): Promise<string> => w.driver(randomUUID());
const vehicle = (w: LineWorld, fields: Body = {}): Promise<string> => w.vehicle(randomUUID(), fields);

/** What is created, and the id of it. */
async function made(w: LineWorld, path: string, fields?: Body): Promise<string> {
  const { id, job_id: job } = ok(await w.admin.post(w.path + path, fields));
  return id ?? job;
}

/** The graph of the line, once more. */
async function scenario(w: LineWorld): Promise<Body> {
  const { nodes, edges } = await w.get('/scenarios/line');
  return { name: 'Once more', nodes, edges };
}

/** A van with an order in its planning version. Another graph may have been tried out before. */
async function draft(w: LineWorld, fields: Body = {}): Promise<{ van: string; task: string; plan: Plan }> {
  ok(await w.admin.post(`${w.path}/scenarios/line/activate`));
  const van = await vehicle(w, fields);
  const id = await order(w, { vehicle_id: van, scheduled_at: time('09:00') });
  const [plan] = (await w.get(`/plans?vehicle_id=${van}`)).items;
  return { van, task: id, plan };
}

const publish = (w: LineWorld, plan: Plan): Promise<string> => made(w, '/plans/publish', { plan_ids: [plan.id] });

/** A driver on duty, with an order that is published and waits to be started. */
async function onDuty(w: LineWorld): Promise<{ driver: Client; ids: { order: string } }> {
  const id = await driver(w);
  const { plan, task: next } = await draft(w, { driver_id: id });
  await publish(w, plan);
  const app = await w.as(id);
  ok(await app.post('/api/v1/driver/duty', { online: true }));
  return { driver: app, ids: { order: next } };
}

async function atWork(w: LineWorld): Promise<{ driver: Client; ids: { order: string } }> {
  const day = await onDuty(w);
  ok(await day.driver.post(`/api/v1/driver/orders/${day.ids.order}/start`));
  return day;
}

const signedInDriver = async (w: LineWorld): Promise<{ driver: Client }> => ({ driver: await w.as(await driver(w)) });

async function reservation(w: LineWorld): Promise<string> {
  await draft(w);
  return ok(await w.admin.post(`${w.path}/availability`, { ...future, location: at(5), duration_seconds: 600, candidate_windows: [future] })).windows[0].reservation_id;
}

async function planningJob(w: LineWorld): Promise<string> {
  return made(w, '/planning/preview', (await planning(w)).body);
}

async function planning(w: LineWorld) {
  const { van } = await draft(w);
  return { body: { vehicle_ids: [van], date_start: '2026-03-02', date_end: '2026-03-02', max_iterations: 10 }, named: [van] };
}

async function hours(w: LineWorld) {
  const { van } = await draft(w);
  return { body: { vehicle_id: van, working_hours: hoursOf(['08:00-12:00']) }, named: [van] };
}

const square = [[[14.2, 35.8], [14.6, 35.8], [14.6, 36.1], [14.2, 36.1], [14.2, 35.8]]];
const region = (): Body => ({ name: 'Island', geometry: { type: 'Polygon', coordinates: square } });
const webhook = (): Body => ({ name: 'Shop', url: 'https://shop.example/hooks', events: ['plan.published'] });

async function notification(w: LineWorld): Promise<string> {
  const id = randomUUID();
  await w.sql(`insert into notifications (business_id, id, created_at, updated_at, kind, message, data) values ($1, $2, now(), now(), 'webhook_disabled', 'The webhook is off.', '{}')`, [w.id, id]);
  return id;
}

/** The six operations of `crudOperations`, from the fields of a record and the ids that they name. */
function crud(plural: string, fields: (w: LineWorld) => Promise<{ body: Body; named?: string[] }> | { body: Body; named?: string[] }): Record<string, Prepare> {
  const record = async (w: LineWorld) => ({ record_id: await made(w, `/${plural}`, (await fields(w)).body) });
  const update: Prepare = async (w) => ({ ids: await record(w), ...(await fields(w)) });
  const one: Prepare = async (w) => ({ ids: await record(w) });
  return { [`${plural}.list`]: plain, [`${plural}.create`]: fields, [`${plural}.get`]: one, [`${plural}.update`]: update, [`${plural}.replace`]: update, [`${plural}.delete`]: one };
}

const settings = body(() => ({ name: 'Renamed', time_zone: 'Europe/Berlin' }));
const apiKey = async (w: LineWorld) => ({ ids: { key: await made(w, '/api-keys', { name: 'Shop', scopes: [...scopes] }) } });
const onPlan: Prepare = async (w) => ({ ids: { record_id: (await draft(w)).plan.id }, body: { warnings: [] } });
const onScenario = async (w: LineWorld) => ({ ids: { record_id: await made(w, '/scenarios', await scenario(w)) } });
const onWebhook = async (w: LineWorld) => ({ ids: { record_id: await made(w, '/webhooks', webhook()) } });
const onRegion = async (w: LineWorld) => ({ ids: { record_id: await made(w, '/regions', region()) } });
const onOrder = async (w: LineWorld) => ({ ids: { order: await order(w) } });
const onJob = async (w: LineWorld) => ({ ids: { job_id: await planningJob(w) } });
const onReservation = async (w: LineWorld) => ({ ids: { reservation_id: await reservation(w) } });

/** By operation. */
const preparations: Record<string, Prepare> = {
  'accounts.create': body(() => ({ email: address(), password })),
  async 'sessions.create'({ service }) {
    const email = address();
    await signedIn(service, email);
    return { body: { email, password } };
  },
  'me.get': plain,
  'sessions.delete': plain,
  'businesses.create': body(() => ({ name: 'Another', time_zone: 'UTC' })),
  'businesses.list': plain,
  'businesses.get': plain,
  'settings.get': plain,
  'settings.replace': settings,
  'settings.update': settings,

  'admins.list': plain,
  'admins.create': body(() => ({ email: address() })),
  'admins.delete': async (w) => ({ ids: { record_id: await made(w, '/admins', { email: address() }) } }),
  'invitations.accept': async (w) => ({ body: { invitation_code: ok(await w.admin.post(`${w.path}/admins`, { email: address() })).invitation_code, password } }),
  'api-keys.list': plain,
  // The key that asks has this scope, and can not give what it has not.
  'api-keys.create': body(() => ({ name: 'Shop', scopes: ['integrations.manage'] })),
  'api-keys.get': apiKey,
  'api-keys.revoke': apiKey,
  'audit.list': plain,
  'notifications.list': plain,
  'notifications.read': async (w) => ({ ids: { record_id: await notification(w) } }),
  'notifications.read-all': plain,

  ...crud('warehouses', () => ({ body: { name: 'North depot', location: at(7) } })),
  ...crud('vehicles', async (w) => {
    const [depot, holder] = [await w.warehouse(randomUUID(), 3), await driver(w)];
    return { body: { name: 'Van', warehouse_id: depot, driver_id: holder }, named: [depot, holder] };
  }),
  ...crud('drivers', () => ({ body: { name: 'Driver', email: 'driver@drivers.example' } })),
  'drivers.reset': async (w) => ({ ids: { record_id: await driver(w) } }),
  // Ids of fields are unique in a business.
  ...crud('schemas', () => ({ body: { name: 'Fields', fields: [{ id: randomUUID(), name: 'Note', type: 'text' }] } })),
  ...crud('orders', async (w) => {
    const [van, replacement] = [await vehicle(w), await driver(w)];
    return { body: { ...task, type: 'break', vehicle_id: van, replacement_driver_id: replacement }, named: [van, replacement] };
  }),
  async 'orders.batch'(w) {
    const van = await vehicle(w);
    return { body: { items: [{ ...task, vehicle_id: van }, task] }, named: [van] };
  },
  'orders.actions': onOrder,
  'evidence.upload': async (w) => ({ ...(await onOrder(w)), body: photo }),
  'evidence.list': onOrder,
  'evidence.content': async (w) => ({ ids: { evidence_id: await made(w, `/orders/${await order(w)}/evidence`, photo) } }),
  ...crud('scenarios', async (w) => ({ body: await scenario(w) })),
  'scenarios.load': async (w) => ({ ...(await onScenario(w)), body: { mode: 'merge' } }),
  'scenarios.activate': onScenario,
  async 'scenarios.deactivate'(w) {
    const prepared = await onScenario(w);
    ok(await w.admin.post(`${w.path}/scenarios/${prepared.ids.record_id}/activate`));
    return prepared;
  },

  ...crud('regions', () => ({ body: region() })),
  'regions.install': onRegion,
  'regions.approve': onRegion,
  'regions.unapprove': onRegion,

  'planning.preview': planning,
  'jobs.list': plain,
  'jobs.get': onJob,
  'jobs.cancel': onJob,
  async 'jobs.events'(w) {
    const prepared = await onJob(w);
    ok(await w.admin.post(`${w.path}/jobs/${prepared.ids.job_id}/cancel`));
    return prepared;
  },
  'plans.list': plain,
  'plans.create': async (w) => ({ body: { id: randomUUID(), vehicle_id: await vehicle(w), revision: 1, state: 'planning', stops: [] } }),
  'plans.get': async (w) => ({ ids: { record_id: (await draft(w)).plan.id } }),
  'plans.route': async (w) => ({ ids: { record_id: (await draft(w)).plan.id } }),
  'plans.update': onPlan,
  'plans.replace': onPlan,
  async 'plans.delete'(w) {
    const { plan, task: moved } = await draft(w);
    ok(await w.patchOrder(moved, { scheduled_at: time('10:00') }));
    return { ids: { record_id: plan.id } };
  },
  async 'plans.publish'(w) {
    const [{ plan }, loose] = [await draft(w), await order(w)];
    const { revision } = ok(await w.patchOrder(loose, { status: 'cancelled' }));
    return { body: { plan_ids: [plan.id], order_ids: [loose], expected_revision: [{ id: loose, revision }] }, named: [plan.id, loose] };
  },
  'publications.list': plain,
  'publications.get': async (w) => ({ ids: { record_id: await publish(w, (await draft(w)).plan) } }),
  async 'availability.query'(w) {
    await draft(w);
    return { body: { ...future, location: at(5), duration_seconds: 600, gap_seconds: 0 } };
  },
  'reservations.list': plain,
  'reservations.get': onReservation,
  'reservations.release': onReservation,
  'reservations.confirm': onReservation,
  'working-hours.preview': hours,
  async 'working-hours.apply'(w) {
    const { body: change, named } = await hours(w);
    const { vehicle_revision: revision, preview_epoch: epoch } = ok(await w.admin.post(`${w.path}/working-hours/preview`, change));
    return { body: { ...change, accepted: true, vehicle_revision: revision, preview_epoch: epoch }, named };
  },

  ...crud('webhooks', () => ({ body: webhook() })),
  'webhooks.rotate-secret': onWebhook,
  'webhooks.test': onWebhook,
  'webhooks.recover': async (w) => ({ ...(await onWebhook(w)), body: { since: '2026-03-02T08:00:00Z' } }),
  'webhooks.deliveries.list': onWebhook,
  async 'webhooks.deliveries.redeliver'(w) {
    const { ids } = await onWebhook(w);
    return { ids: { ...ids, delivery_id: await made(w, `/webhooks/${ids.record_id}/test`) } };
  },

  'driver.sessions.create': async (w) => ({ body: { activation_code: ok(await w.admin.post(`${w.path}/drivers/${await driver(w)}/reset`)).activation_code } }),
  'driver.sessions.delete': signedInDriver,
  'driver.me': signedInDriver,
  'driver.refresh': signedInDriver,
  'driver.location': async (w) => ({ ...(await signedInDriver(w)), body: { permission: 'granted', location: at(5) } }),
  'push-devices.register': async (w) => ({ ...(await signedInDriver(w)), body: { provider: 'provider_b', device_token: randomUUID() } }),
  'push-devices.remove': signedInDriver,
  async 'driver.duty'(w) {
    const van = await vehicle(w);
    return { ...(await signedInDriver(w)), body: { online: true, vehicle_id: van }, named: [van] };
  },
  'driver.orders.start': onDuty,
  'driver.orders.complete': atWork,
  'driver.orders.unable': async (w) => ({ ...(await atWork(w)), body: { reason: 'Nobody opened the gate' } }),
  async 'driver.orders.update'(w) {
    const field = randomUUID();
    ok(await w.admin.post(`${w.path}/schemas`, { name: 'Fields', fields: [{ id: field, name: 'Note', type: 'text', driver_visible: true, driver_editable: true }] }));
    return { ...(await onDuty(w)), body: { custom_fields: { [field]: 'Rang twice' } } };
  },
  'driver.evidence.upload': async (w) => ({ ...(await onDuty(w)), body: photo }),
};
