import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Operation } from '../../core/contract/operation.ts';
import { operations } from '../../core/operations.ts';
import type { Reply } from '../support/client.ts';
import { credentialNames, credentialsOf, type CredentialName, type Credentials } from '../support/credentials.ts';
import { lineWorld, type LineWorld } from '../support/line-world.ts';
import { startService, type TestService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { callOperation, workingCall, type WorkingCall } from '../support/working-calls.ts';

/** Every operation, in every relation of a business to whoever asks, with every credential. What is asked for is in order: only who asks differs. */

const places = ['own', 'foreign', 'deleted', 'random'] as const;
type Place = (typeof places)[number];

/** A path without a business is about that of the credential, or of the code in the body; accounts have none. */
function placesOf({ access, body }: Operation): readonly Place[] {
  if (access.kind === 'business') return places;
  const hasCode = Object.keys((body?.properties as object | undefined) ?? {}).some((name) => name.endsWith('_code'));
  return access.kind === 'driver' || hasCode ? ['own', 'deleted'] : ['own'];
}

/** What the interface says of each cell; `granted` is the operation's own success. */
function promised({ access, settingsUpdate }: Operation, place: Place, credential: CredentialName): 'granted' | 401 | 403 | 404 {
  // Who needs no credential is not asked for one, not even for a good one. Codes of a business that is gone are no codes.
  if (access.kind === 'public') return place === 'deleted' ? 401 : 'granted';
  if (nobody.has(credential)) return 401;
  if (access.kind === 'account') return credential.endsWith('administrator') ? 'granted' : 403;
  if (access.kind === 'driver' && credential !== 'driver') return 403;
  // Nothing ties the credential to the business, or there is none.
  if (place !== 'own') return 404;
  if (access.kind === 'driver') return 'granted';
  // A tie that is not enough. The settings update knows no 403.
  if (credential === 'removed administrator') return settingsUpdate ? 404 : 403;
  if (credential === 'driver' || (credential !== 'administrator' && access.scope === null)) return settingsUpdate ? 401 : 403;
  return credential === 'key without the scope' ? 403 : 'granted';
}

/** Who holds one of these is nobody, anywhere. */
const nobody = new Set<CredentialName>(['expired session', 'signed-out session', 'revoked key', 'expired key', 'deactivated driver', 'reset driver', 'no credential', 'malformed token', 'unknown token']);

/** Plans are never written directly: what is in order is refused as well. */
const managed = ['plans.create', 'plans.update', 'plans.replace'];
const granted = (operation: Operation): number => (managed.includes(operation.id) ? 422 : operation.status);

const cellsOf = (operation: Operation) => placesOf(operation).flatMap((place) => credentialNames.map((credential) => ({ place, credential, promise: promised(operation, place, credential) })));
type Cell = ReturnType<typeof cellsOf>[number];

const named = (list: readonly Operation[]): [string, Operation][] => list.map((operation) => [operation.id, operation]);
const isAboutRecord = ({ path }: Operation): boolean => path.replace('/businesses/{id}', '').includes('{');
const cellCount = operations.flatMap(cellsOf).length;
const checked = { cells: 0, wrongBodies: 0, ids: 0 };

let service: TestService;
let own: LineWorld;
let foreign: LineWorld;
let deleted: LineWorld;
let ownCredentials: Credentials;
let deletedCredentials: Credentials;
const deletedCalls = new Map<Operation, WorkingCall>();

beforeAll(async () => {
  // Regions can not be installed from nowhere.
  service = await startService({ env: { MILKRUN_MAP_SOURCE: temporaryFolder() } });
  [own, foreign, deleted] = await Promise.all([lineWorld(service), lineWorld(service), lineWorld(service)]);
  [ownCredentials, deletedCredentials] = await Promise.all([credentialsOf(own), credentialsOf(deleted)]);
  for (const operation of operations) deletedCalls.set(operation, await workingCall(operation, deleted));
  await deleted.sql('update businesses set deleted_at = now() where id = $1', [deleted.id]);
});
afterAll(() => service.close());

describe(`${operations.length} operations, ${cellCount} cells`, () => {
  test.each(named(operations))('%s', async (_id, operation) => {
    const calls: Record<Place, WorkingCall> = { own: await workingCall(operation, own), foreign: await workingCall(operation, foreign), deleted: deletedCalls.get(operation)!, random: undefined! };
    calls.random = { ...calls.own, path: calls.own.path.replace(own.id, randomUUID()) };
    const ask = async ({ place, credential }: Cell, call = calls[place], body: unknown = call.body): Promise<Reply> => {
      const driver = credential === 'driver' && operation.access.kind === 'driver' ? call.driver : undefined;
      return callOperation(driver ?? (await (place === 'deleted' ? deletedCredentials : ownCredentials)(credential, operation)), operation, call.path, body);
    };
    const found: Record<string, number> = {};
    const note = ({ place, credential }: Cell, reply: Reply) => { found[`${place}, ${credential}`] = reply.status; };
    const cells = cellsOf(operation);

    // First all that is refused, at once; whatever it did, what is granted afterwards would not find things as they were.
    const refused = cells.filter(({ promise }) => promise !== 'granted');
    const refusals = await Promise.all(refused.map(async (cell) => ({ cell, reply: await ask(cell) })));
    for (const { cell, reply } of refusals) note(cell, reply);
    for (const [nth, cell] of cells.filter(({ promise }) => promise === 'granted').entries()) note(cell, await ask(cell, nth === 0 ? calls.own : await workingCall(operation, own)));
    expect(found).toEqual(Object.fromEntries(cells.map(({ place, credential, promise }) => [`${place}, ${credential}`, promise === 'granted' ? granted(operation) : promise])));
    checked.cells += cells.length;

    if (operation.access.kind === 'business') expect((await callOperation(foreign.admin, operation, calls.foreign.path, calls.foreign.body)).status).toBe(granted(operation));
    for (const { cell, reply } of refusals) expect(reply.body.error.code).toBe(cell.promise === 404 ? 'not_found' : 'unauthorized');
    for (const { cell, reply } of refusals) if (cell.promise === 401) expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    if (operation.access.kind === 'business' && operation.access.scope !== null) {
      expect(refusals.find(({ cell }) => cell.place === 'own' && cell.credential === 'key without the scope')!.reply.body.error.message).toContain(operation.access.scope);
    }
    expect(new Set(refusals.flatMap(({ cell, reply }) => (cell.promise === 404 ? [wholeOf(reply)] : []))).size).toBe(operation.access.kind === 'business' || operation.access.kind === 'driver' ? 1 : 0);

    // Who somebody is comes before what is asked for.
    if (operation.body === undefined || operation.access.kind === 'public') return;
    const again = refusals.filter(({ cell }) => cell.place === 'own' || cell.place === 'foreign');
    const wrong = await Promise.all(again.map(async ({ cell, reply }) => [wholeOf(reply), wholeOf(await ask(cell, calls[cell.place], { nonsense: true }))]));
    expect(wrong.filter(([before, after]) => before !== after)).toEqual([]);
    checked.wrongBodies += wrong.length;
  });
});

describe('a record of somebody else is as absent as one that never was', () => {
  const aboutRecords = operations.filter(isAboutRecord);

  test.each(named(aboutRecords))('%s', async (_id, operation) => {
    const [mine, theirs] = [await workingCall(operation, own), await workingCall(operation, foreign)];
    const askers = operation.access.kind === 'driver' ? [mine.driver!] : [own.admin, await ownCredentials('key with the scope', operation)];
    // Of drivers, colleagues are somebody else too, and so is whoever plans.
    const colleague = operation.access.kind === 'driver' ? [(await workingCall(operation, own)).ids, { order: await own.order(randomUUID(), 5) }] : [];
    for (const asker of askers) {
      for (const [parameter, id] of Object.entries(mine.ids)) {
        const ask = async (other: string) => wholeOf(await callOperation(asker, operation, mine.path.replace(id, other), mine.body), other);
        const absent = await ask(randomUUID());
        expect([parameter, JSON.parse(absent).status]).toEqual([parameter, managed.includes(operation.id) ? 422 : 404]);
        for (const ids of [theirs.ids, ...colleague]) {
          expect(await ask(ids[parameter as 'order'])).toBe(absent);
          checked.ids++;
        }
      }
    }
    // They were there, and nothing has happened to them.
    expect((await callOperation(theirs.driver ?? foreign.admin, operation, theirs.path, theirs.body)).status).toBe(granted(operation));
    expect((await callOperation(askers.at(-1)!, operation, mine.path, mine.body)).status).toBe(granted(operation));
  });

  test.each(named(operations.filter((operation) => operation.body)))('%s: where its body names one', async (_id, operation) => {
    const [mine, theirs] = [await workingCall(operation, own), await workingCall(operation, foreign)];
    for (const [nth, id] of mine.named.entries()) {
      const ask = async (other: string) => wholeOf(await callOperation(mine.driver ?? own.admin, operation, mine.path, JSON.stringify(mine.body).replaceAll(id, other)), other);
      const absent = await ask(randomUUID());
      expect(JSON.parse(absent).status).toBe(isAboutNamed(operation) ? 404 : 422);
      expect(await ask(theirs.named[nth])).toBe(absent);
      checked.ids++;
    }
  });
});

/** What is published and whose hours are changed stands in the body instead of the path. */
const isAboutNamed = ({ id }: Operation): boolean => id === 'plans.publish' || id.startsWith('working-hours.');

test(`${cellCount} cells have been checked`, () => {
  expect(checked.cells).toBe(cellCount);
  process.stdout.write(`tenant matrix: ${operations.length} operations, ${checked.cells} cells, ${checked.wrongBodies} once more with a wrong body, ${checked.ids} ids of others\n`);
});

/** An answer as its reader sees it, but for what tells one request from another and the id that was asked for. */
function wholeOf({ status, headers, text }: Reply, id = ''): string {
  const shown = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return JSON.stringify({ status, headers: shown, text: id === '' ? text : text.replaceAll(id, '…') });
}
