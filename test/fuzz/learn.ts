import { parsed } from './json.ts';
import type { Exchange } from './shot.ts';
import type { CustomField, DriverSession, World } from './world.ts';

/** Remembers what an answer tells: ids, revisions, secrets, and whose session has ended. */
export function learn(world: World, { shot, reply, operation }: Exchange): void {
  const token = shot.headers.authorization?.replace('Bearer ', '');
  if (reply.status === 401 && token && operation?.door !== 'public') bury(world, token);
  if (operation === undefined || shot.method === 'HEAD' || reply.status >= 300 || shot.path.includes(world.foreignId)) return;
  const answer = parsed(reply.body) as Record<string, unknown> | undefined;
  if (answer !== undefined && shot.headers.authorization !== `Bearer ${world.outsider}`) {
    read(world, collections[operation.answerTitle?.replace(/List$/, '') ?? ''], answer, 0);
  }
  world.done.add(operation.id);
  if (operation.method === 'DELETE') forget(world, shot.path);
  outcomes[operation.id]?.(world, answer ?? {}, { token, path: shot.path, sent: (parsed(shot.body) ?? {}) as Answered });
}

/** What has been deleted is asked for now and then, and not by those who want to see a record. */
function forget(world: World, path: string): void {
  const [kind, id] = path.split('?')[0].split('/').slice(-2);
  world.ids.remove(kind, decodeURIComponent(id));
  world.ids.add('deleted', decodeURIComponent(id));
}

function bury(world: World, token: string): void {
  world.secrets.removeAll(token);
  world.drivers = world.drivers.filter((driver) => driver.token !== token);
  world.secrets.add('dead', token);
}

/** The pool of the records that a schema of the document stands for; it has the name of their path. */
const collections: Record<string, string> = {
  Order: 'orders', OrderBatch: 'orders', Vehicle: 'vehicles', Warehouse: 'warehouses', Driver: 'drivers', DriverWithActivationCode: 'drivers', Schema: 'schemas', Scenario: 'scenarios',
  Webhook: 'webhooks', WebhookWithSecret: 'webhooks', WebhookDelivery: 'deliveries', Plan: 'plans', Publication: 'publications', Job: 'jobs', Reservation: 'reservations',
  Evidence: 'evidence', Notification: 'notifications', ApiKey: 'api-keys', ApiKeyWithSecret: 'api-keys', Administrator: 'admins', InvitedAdministrator: 'admins', PushDevice: 'devices', Region: 'regions', Business: 'businesses',
};

/** Ids by the names of their properties, and records wherever they are. */
function read(world: World, collection: string | undefined, value: unknown, depth: number): void {
  if (depth > 4 || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) return value.slice(0, 100).forEach((each) => read(world, collection, each, depth + 1));
  const record = value as Record<string, unknown>;
  if (collection && typeof record.id === 'string' && typeof record.revision === 'number' && record.id !== world.membershipId) {
    world.ids.add(collection, record.id);
    world.revisions.set(encodeURIComponent(record.id.toWellFormed()), record.revision);
    if (collection === 'schemas') world.fields.set(record.id, record.fields as CustomField[]);
  }
  for (const [name, inner] of Object.entries(record)) {
    const kind = kindOf(name);
    if (kind) for (const id of [inner].flat()) if (id !== world.membershipId) world.ids.add(kind, id);
    if (codes.includes(name)) world.secrets.add(name, inner);
    if (name === 'items') read(world, collection, inner, depth);
    else if (typeof inner === 'object') read(world, isCollection.test(name) ? name.replace('affected_', '') : undefined, inner, depth + 1);
  }
}

const codes = ['activation_code', 'invitation_code'];
const isCollection = /^(orders|affected_orders|plans)$/;

/** Where the ids in a property of this name are kept: `vehicle_id` and `vehicle_ids` among the vehicles. */
export function kindOf(name: string): string | undefined {
  if (name === 'evidence_id') return 'evidence';
  const [, word] = /^(?:replacement_|duty_|affected_)?(\w+?)_ids?$/.exec(name) ?? [];
  return word === undefined || ['request', 'action', 'record'].includes(word) ? undefined : `${word.replaceAll('_', '-')}s`;
}

type Answered = Record<string, any>;
type Outcome = (world: World, answer: Answered, request: { token: string | undefined; path: string; sent: Answered }) => void;

const sessionOf = (world: World, token: string | undefined): DriverSession | undefined => world.drivers.find((driver) => driver.token === token);

/** More would make it rare that a driver ends what that driver has begun. */
const driversMax = 3;

const lives = ({ status }: { status: string }): boolean => ['created', 'on_road', 'in_progress'].includes(status);

const nowIs: Outcome = (world, { id, status }, { token }) => {
  const session = sessionOf(world, token);
  if (session) session.next = lives({ status }) ? { id, status } : undefined;
};

const outcomes: Record<string, Outcome> = {
  'sessions.create': (world, { access_token: token }) => world.secrets.add('session', token),
  'sessions.delete': (world, _answer, { token }) => bury(world, token!),
  'driver.sessions.create': (world, { access_token: token }) => {
    world.drivers = [...world.drivers.slice(-driversMax), { token }];
  },
  'driver.sessions.delete': (world, _answer, { token }) => bury(world, token!),
  'api-keys.create': (world, { key, scopes }) => {
    for (const scope of scopes) world.secrets.add(scope, key);
  },
  'scenarios.load': (world, { activation_codes: byDriver }, { sent }) => {
    if (sent.mode === 'replace') for (const kind of ['orders', 'vehicles', 'drivers', 'warehouses', 'plans']) world.ids.clear(kind);
    for (const [driver, code] of Object.entries(byDriver)) {
      world.ids.add('drivers', driver);
      world.secrets.add('activation_code', code);
    }
  },
  'schemas.delete': (world, _answer, { path }) => void world.fields.delete(decodeURIComponent(path.split('?')[0].split('/').at(-1)!)),
  'driver.refresh': (world, { plans, orders }, { token }) => {
    const session = sessionOf(world, token);
    const inOrder = (plans as Answered[]).flatMap(({ stops }) => (stops as Answered[]).flatMap(({ order_id: id }) => id ?? []));
    const unfinished = (orders as { id: string; status: string }[]).filter(lives).toSorted((a, b) => inOrder.indexOf(a.id) - inOrder.indexOf(b.id));
    if (session) session.next = unfinished.find(({ status }) => status === 'in_progress') ?? unfinished[0];
  },
  'driver.orders.start': nowIs,
  'driver.orders.complete': nowIs,
  'driver.orders.unable': nowIs,
};
