import { readFileSync } from 'node:fs';
import { imageTypes } from '../../core/evidence/schema.ts';
import { scopes } from '../../core/contract/scopes.ts';
import { picture } from '../support/images.ts';
import type { Schema } from './document.ts';
import { password } from './knowledge.ts';
import { elsewhere } from './spoil-request.ts';
import { Pools, type World } from './world.ts';

const json = { 'content-type': 'application/json' };

/** A business with a sample scenario, a key, drivers and a webhook, and somebody else's business beside it. */
export async function createWorld(url: string, { name, scenario, webhookUrl }: { name: string; scenario: 'tiny' | 'town'; webhookUrl: string }): Promise<World> {
  const post = async (path: string, body: unknown, token?: string): Promise<Schema> => {
    const response = await fetch(url + path, { method: 'POST', headers: { ...json, ...(token ? { authorization: `Bearer ${token}` } : {}) }, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`preparing ${name}: ${path} answered ${response.status} ${await response.text()}`);
    return response.json() as Promise<Schema>;
  };
  const signIn = async (email: string): Promise<string> => {
    await post('/api/v1/accounts', { email, password });
    return (await post('/api/v1/sessions', { email, password })).access_token;
  };
  const email = `${name}@depot.example`;
  const [admin, outsider] = await Promise.all([signIn(email), signIn(`${name}@other.example`)]);
  const settings = { time_zone: 'Europe/Berlin', planning: { notify_unplanned: true } };
  const [{ id: businessId }, { id: foreignId }] = await Promise.all([post('/api/v1/businesses', { name, ...settings }, admin), post('/api/v1/businesses', { name: elsewhere, ...settings }, outsider)]);
  const me: Schema = await (await fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${admin}` } })).json() as Schema;
  const path = `/api/v1/businesses/${businessId}`;
  const world: World = {
    businessId, foreignId, email, admin, outsider, webhookUrl, membershipId: me.businesses[0].membership_id,
    monday: nextMonday(), scenarioId: scenario, images: await images,
    ids: new Pools(), secrets: new Pools(), drivers: [], revisions: new Map(), fields: new Map(), sequels: [], done: new Set(), asked: 0, now: Date.now,
  };
  await fillElsewhere((plural, body) => post(`/api/v1/businesses/${foreignId}/${plural}`, { id: elsewhere, ...body }, outsider));
  await post(`${path}/scenarios`, JSON.parse(readFileSync(new URL(`../../scenarios/${scenario}.json`, import.meta.url), 'utf8')), admin);
  await post(`${path}/webhooks`, { name: 'All', url: webhookUrl, events: ['*'] }, admin);
  const { key } = await post(`${path}/api-keys`, { name: 'All', scopes }, admin);
  for (const scope of scopes) world.secrets.add(scope, key);
  world.secrets.add('session', admin);
  world.sequels.push({ operation: 'scenarios.load', params: { record_id: scenario }, body: { anchor_date: world.monday } });
  return world;
}

/** A week or two ahead: reservations are for the future. */
function nextMonday(): string {
  const today = Temporal.Now.plainDateISO('Europe/Berlin');
  return today.add({ days: 15 - today.dayOfWeek }).toString();
}

const images: Promise<Record<string, Buffer[]>> = Promise.all(imageTypes.map(async (type) => [type, await Promise.all([1, 2, 3].map((seed) => picture(type, { width: 3 * seed, height: 4, seed })))] as const)).then(Object.fromEntries);

async function fillElsewhere(make: (plural: string, body: object) => Promise<unknown>): Promise<void> {
  const location = { latitude: 52.2, longitude: 13.8 };
  await make('warehouses', { name: elsewhere, location });
  await make('drivers', { name: elsewhere, email: 'driver@elsewhere.example' });
  await make('vehicles', { name: elsewhere, warehouse_id: elsewhere });
  await make('orders', { location, duration_seconds: 900, window_start: '2026-03-02T08:00:00Z', window_end: '2026-03-02T12:00:00Z' });
  await make('schemas', { name: elsewhere, fields: [] });
  await make('webhooks', { name: elsewhere, url: 'https://hooks.invalid/', events: ['*'], active: false });
}
