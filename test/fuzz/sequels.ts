import type { Dice } from './dice.ts';
import { password } from './knowledge.ts';
import { parsed } from './json.ts';
import type { Described } from './document.ts';
import type { Exchange, Shot } from './shot.ts';
import type { DriverSession, Sequel, World } from './world.ts';

type Answered = Record<string, any>;

/** What only makes sense after something else: by the operation that has just succeeded, what is asked next. */
export function followUps(world: World, { shot, reply, operation }: Exchange, dice: Dice): void {
  if (operation === undefined || shot.method === 'HEAD' || reply.status >= 300 || shot.path.includes(world.foreignId) || shot.headers.authorization === `Bearer ${world.outsider}`) return;
  if (world.sequels.length > waitingMax) return;
  const answer = (parsed(reply.body) ?? {}) as Answered;
  if (typeof answer.next_cursor === 'string') world.sequels.push(nextPage(operation, shot, answer.next_cursor));
  if (operation.id.endsWith('.create') && dice.chance(0.4)) world.sequels.push(...withNewRecord(world, operation, { id: answer.id, dice }));
  const follow = sequels[operation.id];
  if (follow === undefined) return;
  const sent = (parsed(shot.body) ?? {}) as Answered;
  world.sequels.push(...follow({ answer, sent, world, dice, path: shot.path, token: shot.headers.authorization?.slice('Bearer '.length) }));
}

/** The same list and filter, from where the page ended. */
function nextPage({ id, path: template }: Described, { path, headers }: Shot, cursor: string): Sequel {
  const [bare, query] = path.split('?');
  const names = template.split('/');
  const params = Object.fromEntries(bare.split('/').flatMap((segment, nth) => (names[nth].startsWith('{') ? [[names[nth].slice(1, -1), decodeURIComponent(segment)]] : [])));
  return { operation: id, params, query: { ...Object.fromEntries(new URLSearchParams(query)), cursor }, token: headers.authorization?.slice('Bearer '.length), isExact: true };
}

/** Whoever makes a record looks at it, changes it or takes it away again. */
function withNewRecord(world: World, { id: operation }: Described, { id, dice }: { id: string; dice: Dice }): Sequel[] {
  const [plural] = operation.split('.');
  const operations = ['get', 'update', 'replace', 'delete'].map((verb) => `${plural}.${verb}`);
  return where(withRecords.has(plural), { operation: newest(world, operations, dice), params: { record_id: id } });
}

/** One of them, rather one that has not succeeded yet. */
function newest({ done }: World, operations: string[], dice: Dice): string {
  const rare = operations.filter((each) => !done.has(each));
  return dice.pick(rare.length > 0 ? rare : operations);
}

const withRecords = new Set(['warehouses', 'vehicles', 'drivers', 'schemas', 'orders', 'scenarios', 'webhooks', 'regions']);

/** Enough for a few stories at once; more would leave nothing to chance. */
const waitingMax = 12;

interface Told {
  answer: Answered;
  sent: Answered;
  world: World;
  dice: Dice;
  path: string;
  token: string | undefined;
}

const sequels: Record<string, (told: Told) => Sequel[]> = {
  'accounts.create': ({ sent }) => [{ operation: 'sessions.create', body: { email: sent.email, password: sent.password } }],
  'sessions.create': ({ answer, dice }) => [{ operation: 'me.get', token: answer.access_token }, ...where(dice.chance(0.3), { operation: 'sessions.delete', token: answer.access_token }, { operation: 'me.get', token: answer.access_token })],
  'admins.create': ({ answer }) => [{ operation: 'invitations.accept', body: { invitation_code: answer.invitation_code, password, name: 'Second' } }],
  'api-keys.create': ({ answer, dice }) => [
    { operation: dice.pick(['orders.list', 'vehicles.list', 'settings.get']), token: answer.key },
    ...where(dice.chance(0.4), { operation: 'api-keys.revoke', params: { key: answer.id } }, { operation: 'orders.list', token: answer.key }),
  ],
  'drivers.create': ({ answer, dice }) => where(dice.chance(0.3), { operation: 'driver.sessions.create', body: { activation_code: answer.activation_code } }),
  'drivers.reset': ({ answer }) => [{ operation: 'driver.sessions.create', body: { activation_code: answer.activation_code } }],
  'scenarios.load': ({ answer, world }) => [
    ...Object.values(answer.activation_codes as Record<string, string>).map((code): Sequel => ({ operation: 'driver.sessions.create', body: { activation_code: code } })),
    { operation: 'orders.list', query: {} }, { operation: 'drivers.list', query: {} },
    { operation: 'planning.preview', body: { vehicle_ids: answer.vehicle_ids.length > 0 ? answer.vehicle_ids : world.ids.all('vehicles').slice(-3), date_start: world.monday, date_end: world.monday, seed: 1, max_iterations: 100 } },
  ],
  // The road network has to come back, or nothing can be planned any more.
  'scenarios.activate': ({ answer, world }) => where(answer.id !== world.scenarioId, back(world)),
  'scenarios.deactivate': ({ world }) => [{ operation: 'availability.query' }, back(world)],
  'scenarios.delete': ({ world }) => [back(world)],
  'planning.preview': ({ answer, sent, dice }) => [
    // What could search for long is not waited for.
    ...where(isLong(sent) || dice.chance(0.15), { operation: 'jobs.cancel', params: { job_id: answer.job_id } }),
    { operation: 'jobs.events', params: { job_id: answer.job_id } }, { operation: 'jobs.get', params: { job_id: answer.job_id } },
    { operation: 'plans.list', query: { state: 'planning' } }, { operation: 'notifications.list', query: { unread: 'true' } },
  ],
  'notifications.list': ({ answer }) => answer.items.slice(0, 1).map(({ id }: Answered) => ({ operation: 'notifications.read', params: { record_id: id } })),
  'plans.publish': ({ answer, world }) => [
    { operation: 'publications.get', params: { record_id: answer.id } }, { operation: 'plans.list', query: { state: 'superseded' } },
    ...world.drivers.map(({ token }): Sequel => ({ operation: 'driver.refresh', token })),
  ],
  'plans.list': ({ answer, dice }) => [
    ...where(dice.chance(0.6), ...publicationOf(answer.items.filter(({ state }: Answered) => state === 'planning'), dice)),
    ...answer.items.filter(({ state }: Answered) => state === 'superseded').slice(0, 1).map(({ id }: Answered) => ({ operation: 'plans.delete', params: { record_id: id } })),
  ],
  'driver.refresh': ({ token, world }) => where(sessionNamed(world, token)?.next !== undefined,
    { operation: 'driver.location', token, body: { permission: 'granted', location: { latitude: 52.2, longitude: 13.8 } } }, { operation: 'driver.duty', token, body: { online: true } }, ...stepOf(world, token, 'driver.orders.start')),
  'driver.orders.start': ({ token, world, dice }) => [
    ...where(dice.chance(0.5), { operation: 'driver.evidence.upload', token, params: { order: nextOf(world, token) } }),
    ...where(dice.chance(0.5), { operation: 'driver.orders.update', token, params: { order: nextOf(world, token) } }),
    ...stepOf(world, token, newest(world, ['driver.orders.complete', 'driver.orders.unable'], dice)),
  ],
  'driver.orders.complete': ({ token }) => [{ operation: 'driver.refresh', token }],
  'driver.orders.unable': ({ token, answer }) => [{ operation: 'driver.refresh', token }, { operation: 'orders.actions', params: { order: answer.id } }],
  'driver.location': ({ sent, token }) => where(sent.permission === 'denied', { operation: 'driver.location', token, body: { permission: 'granted' } }),
  'push-devices.register': ({ answer, token, dice }) => where(dice.chance(0.3), { operation: 'push-devices.remove', token, query: { device_id: answer.id } }),
  'evidence.upload': ({ answer }) => [{ operation: 'evidence.content', params: { evidence_id: answer.id } }],
  'driver.evidence.upload': ({ answer }) => [{ operation: 'evidence.content', params: { evidence_id: answer.id } }],
  'working-hours.preview': ({ answer, sent, dice }) => where(dice.chance(0.7), { operation: 'working-hours.apply', body: { ...sent, accepted: true, vehicle_revision: answer.vehicle_revision, preview_epoch: answer.preview_epoch } }),
  'availability.query': ({ answer, world, dice }) => answer.windows.filter(({ reservation_id: id }: Answered) => id).slice(0, 2).flatMap(({ reservation_id: id }: Answered) => [
    { operation: 'reservations.get', params: { reservation_id: id } }, { operation: newest(world, ['reservations.confirm', 'reservations.release'], dice), params: { reservation_id: id }, ...(dice.chance(0.6) ? { body: {} } : {}) },
  ]),
  'webhooks.create': ({ answer }) => [{ operation: 'webhooks.test', params: { record_id: answer.id } }, { operation: 'webhooks.deliveries.list', params: { record_id: answer.id }, query: {} }],
  'webhooks.test': ({ answer, dice }) => [{ operation: 'webhooks.deliveries.redeliver', params: { record_id: answer.webhook_id, delivery_id: answer.id } }, ...where(dice.chance(0.3), { operation: 'webhooks.recover', params: { record_id: answer.webhook_id } })],
  // Required fields would make orders that do not know of them rare.
  'schemas.create': ({ answer, dice }) => [{ operation: 'orders.create' }, ...where(dice.chance(0.5), { operation: 'schemas.delete', params: { record_id: answer.id } })],
};

function publicationOf(plans: Answered[], dice: Dice): Sequel[] {
  const expected = dice.chance(0.4) ? { expected_revision: plans.map(({ id, revision }) => ({ id, revision })) } : {};
  return where(plans.length > 0, { operation: 'plans.publish', query: dice.chance(0.1) ? { validate_only: 'true' } : {}, body: { plan_ids: plans.map(({ id }) => id), acknowledge_warnings: true, ...expected } });
}

const where = (isSo: boolean, ...asked: Sequel[]): Sequel[] => (isSo ? asked : []);

const nextOf = (world: World, token: string | undefined): string => sessionNamed(world, token)?.next?.id ?? 'nobody';

const back = (world: World): Sequel => ({ operation: 'scenarios.activate', params: { record_id: world.scenarioId }, token: world.admin });

const isLong = ({ max_iterations: iterations, time_limit_seconds: seconds }: Answered): boolean => (iterations ?? 0) > 1_000 || (seconds ?? 0) > 1 || (iterations === undefined && seconds === undefined);

const sessionNamed = (world: World, token: string | undefined): DriverSession | undefined => world.drivers.find((driver) => driver.token === token);

function stepOf(world: World, token: string | undefined, operation: string): Sequel[] {
  const next = sessionNamed(world, token)?.next;
  return next ? [{ operation, token, params: { order: next.id } }] : [];
}

/** An operation that chance has picked, with what is known to make it succeed; or what has to be there before. */
export function prepared(operation: string, world: World, dice: Dice): Sequel {
  if (operation === 'sessions.create' && dice.chance(0.6)) return { operation, body: { email: world.email, password } };
  if (operation === 'planning.preview' && dice.chance(0.7)) return { operation, body: { vehicle_ids: world.ids.all('vehicles').slice(-4), date_start: world.monday, date_end: world.monday, include_planned: dice.chance(0.3), max_iterations: 50 } };
  if (operation === 'availability.query' && dice.chance(0.5)) return { operation, fields: windowsOn(world.monday) };
  if (operation === 'driver.sessions.create' || !operation.startsWith('driver.')) return { operation };
  if (world.drivers.length === 0 && dice.chance(0.8)) return { operation: 'drivers.reset' };
  if (!/^driver\.(orders|evidence)\./.test(operation) || dice.chance(0.3)) return { operation };
  const busy = world.drivers.find(({ next }) => next !== undefined);
  return busy ? { operation, token: busy.token, params: { order: busy.next!.id } } : { operation: 'plans.list', query: { state: 'planning' } };
}

const windowsOn = (day: string): Record<string, unknown> => {
  const at = (hour: string) => `${day}T${hour}:00+01:00`;
  return { start: at('08:00'), end: at('16:00'), duration_seconds: 600, candidate_windows: [{ start: at('08:00'), end: at('10:00') }, { start: at('10:00'), end: at('12:00') }] };
};
