import fc from 'fast-check';
import type { Dice } from './dice.ts';
import type { Described, Document, Parameter } from './document.ts';
import { jsonOf } from './json.ts';
import { prepared } from './sequels.ts';
import type { Shot } from './shot.ts';
import { bodySpoilings } from './spoil-body.ts';
import { elsewhere, oddSegment, requestSpoilings } from './spoil-request.ts';
import { spoiltValue } from './spoil-value.ts';
import { valueOf, type Drawing } from './values.ts';
import type { Sequel, World } from './world.ts';

/** The next request of a world: what is due, or anything; right so far as is known, or with something wrong. */
export function makeShot(document: Document, world: World, dice: Dice): Shot {
  const sequel = dice.chance(0.75) ? world.sequels.shift() : undefined;
  const due: Sequel = sequel ?? prepared(dice.weighted(document.operations.map(({ id }) => [(rarity[id] ?? 1) * wish(world, id), id] as const)), world, dice);
  const operation = document.byId(due.operation);
  const drawing: Drawing = { dice, world, resolved: document.resolved, optionalShare: dice.pick([0.05, 0.3, 0.8]) };
  const shot: Shot = { method: operation.method, path: '', headers: {}, body: null, isChunked: dice.chance(0.1), aim: operation.id, spoilt: [] };

  const params = paramsOf(operation, due, drawing);
  shot.path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => params[name]) + queryOf(operation, due, drawing);
  const token = due.token ?? tokenFor(operation, drawing);
  if (token) shot.headers.authorization = `Bearer ${token}`;
  const isSpoilt = dice.chance(sequel ? 0.08 : 0.5);
  if (operation.body && (operation.body.isRequired || dice.chance(0.7))) writeBody(shot, operation, { due, drawing, params, isSpoilt: isSpoilt && dice.chance(0.6) });
  else if (operation.method === 'POST' && dice.chance(0.1)) Object.assign(shot, { body: Buffer.from('{}') });
  if (operation.method === 'POST' && dice.chance(0.05)) {
    shot.headers['idempotency-key'] = dice.of(keys);
    world.ids.add('idempotency-keys', shot.headers['idempotency-key']);
  }
  while (isSpoilt && (shot.spoilt.length === 0 || dice.chance(0.25))) {
    const [, what, spoil] = dice.weighted(requestSpoilings.map((each) => [each[0], each] as const));
    spoil(shot, dice, world);
    shot.spoilt.push(what);
  }
  return shot;
}

/** What costs much, or takes away what others live on, is asked for less often. */
const rarity: Record<string, number> = {
  'accounts.create': 0.1, 'sessions.create': 0.1, 'invitations.accept': 0.2, 'planning.preview': 0.4, 'scenarios.load': 0.2, 'scenarios.deactivate': 0.2, 'scenarios.activate': 0.3, 'scenarios.delete': 0.3,
  'orders.batch': 0.5, 'drivers.reset': 0.4, 'drivers.delete': 0.4, 'vehicles.delete': 0.3, 'warehouses.delete': 0.4, 'driver.sessions.delete': 0.4, 'sessions.delete': 0.4, 'orders.delete': 0.5,
  'plans.create': 0.3, 'plans.update': 0.3, 'plans.replace': 0.3, 'jobs.events': 0.5,
};

/** What has not succeeded yet is asked for more often, and more so the later it is. */
const wish = (world: World, id: string): number => (world.done.has(id) ? 1 : 2 + world.asked / 100);

const keys = fc.stringMatching(/^[a-z0-9]{8,20}$/);

function paramsOf({ path, parameters, door }: Described, due: Sequel, drawing: Drawing): Record<string, string> {
  const { dice, world } = drawing;
  const segments = path.split('/');
  return Object.fromEntries(parameters.filter((each) => each.in === 'path').map(({ name }) => {
    const given = due.params?.[name];
    if (given !== undefined) return [name, encodeURIComponent(given)];
    if (name === 'id' && door === 'business') return [name, dice.weighted([[60, world.businessId], [1, world.businessId.toUpperCase()], [1, world.foreignId], [1, oddSegment(dice)]])];
    const kind = segments[segments.indexOf(`{${name}}`) - 1];
    const id = world.ids.pick(kind, dice) ?? 'nobody';
    return [name, dice.weighted([[30, encodeURIComponent(id)], [1, encodeURIComponent(world.ids.pick('deleted', dice) ?? id)], [1, elsewhere], [1, oddSegment(dice)]])];
  }));
}

function queryOf({ parameters }: Described, due: Sequel, drawing: Drawing): string {
  const query = new URLSearchParams();
  for (const { name, schema } of inQuery(parameters)) {
    if (!due.isExact && due.query?.[name] === undefined && drawing.dice.chance(drawing.optionalShare / 3)) query.set(name, String(valueOf(schema, drawing, name)).toWellFormed());
  }
  for (const [name, value] of Object.entries(due.query ?? {})) query.set(name, value);
  return query.size > 0 ? `?${query}` : '';
}

const inQuery = (parameters: Parameter[]): Parameter[] => parameters.filter((each) => each.in === 'query');

/** A credential that the operation takes. */
function tokenFor({ id, door, scope }: Described, { dice, world }: Drawing): string | undefined {
  const session = dice.chance(0.1) ? (world.secrets.pick('session', dice) ?? world.admin) : world.admin;
  switch (door) {
    case 'public': return undefined;
    case 'driver': return world.drivers.length > 0 ? dice.pick(world.drivers).token : session;
    // Ours has to stay signed in.
    case 'account': return id === 'sessions.delete' ? (world.secrets.all('session').find((each) => each !== world.admin) ?? 'nobody') : session;
    case 'business': return scope !== null && dice.chance(0.3) ? (world.secrets.pick(scope, dice) ?? world.admin) : world.admin;
  }
}

interface Writing {
  due: Sequel;
  drawing: Drawing;
  params: Record<string, string>;
  isSpoilt: boolean;
}

function writeBody(shot: Shot, operation: Described, { due, drawing, params, isSpoilt }: Writing): void {
  const { dice } = drawing;
  let value: unknown = due.body ?? { ...(valueOf(operation.body!.schema, drawing) as object), ...due.fields };
  if (due.body === undefined) nameRevision(value as Record<string, unknown>, operation, params, drawing);
  shot.headers['content-type'] = dice.weighted([[9, 'application/json'], [1, 'application/json; charset=utf-8'], [1, 'application/vnd.api+json']]);
  if (isSpoilt && dice.chance(0.75)) {
    value = spoiltValue(value, dice);
    shot.spoilt.push('value');
  }
  const text = jsonOf(value);
  shot.body = Buffer.from(text);
  if (!isSpoilt || shot.spoilt.length > 0) return;
  const [, what, spoil] = dice.weighted(bodySpoilings.map((each) => [each[0], each] as const));
  const { body, headers } = spoil(text, dice);
  shot.body = body ?? shot.body;
  Object.assign(shot.headers, headers);
  shot.spoilt.push(what);
}

/** The revision that the record had when it was last seen, or none. */
function nameRevision(value: Record<string, unknown>, { method }: Described, params: Record<string, string>, { dice, world }: Drawing): void {
  if (!('revision' in value) || method === 'POST') return;
  const current = world.revisions.get(params.record_id ?? world.businessId);
  if (current !== undefined && dice.chance(0.8)) value.revision = current;
  else delete value.revision;
}
