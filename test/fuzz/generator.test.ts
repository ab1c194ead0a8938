import { describe, expect, test } from '@jest/globals';
import { openApiDocument } from '../../daemon/openapi.ts';
import { picture } from '../support/images.ts';
import { diceOf } from './dice.ts';
import { readDocument, type Schema } from './document.ts';
import { makeShot } from './make-shot.ts';
import { schemasOf } from './schemas.ts';
import { understood, valueOf } from './values.ts';
import { Pools, type World } from './world.ts';

const document = readDocument(JSON.parse(JSON.stringify(openApiDocument('test'))));
const schemas = schemasOf(document);
const [png, jpeg, webp] = await Promise.all([picture('image/png'), picture('image/jpeg'), picture('image/webp')]);

function someWorld(): World {
  const ids = new Pools();
  for (const kind of ['orders', 'vehicles', 'drivers', 'warehouses', 'plans', 'jobs']) for (const nth of [1, 2, 3]) ids.add(kind, `${kind}-${nth}`);
  return {
    businessId: '01a1ffb6-6748-7438-8205-885a5478fa80', foreignId: '01a1ffb6-6748-7438-8205-885a5478fa81', email: 'a@depot.example', admin: 'ms_admin', outsider: 'ms_outsider', membershipId: 'm',
    monday: '2026-03-02', scenarioId: 'tiny', webhookUrl: 'http://127.0.0.1:1/hooks', images: { 'image/png': [png], 'image/jpeg': [jpeg], 'image/webp': [webp] },
    ids, secrets: new Pools(), drivers: [{ token: 'md_driver' }], revisions: new Map(), fields: new Map([['s', [{ id: 'floor', type: 'select', choices: [{ id: 'ground' }] }]]]), sequels: [], done: new Set(), asked: 0, now: () => 1_772_438_400_000,
  };
}

const withBody = document.operations.filter(({ body }) => body !== null);

test.each(withBody.map((operation) => [operation.id, operation] as const))('%s: what is drawn for its body is what its schema accepts', (_id, { body }) => {
  for (let nth = 0; nth < 60; nth++) {
    const value = valueOf(body!.schema, { dice: diceOf(nth), world: someWorld(), resolved: document.resolved, optionalShare: [0.1, 0.5, 1][nth % 3] });
    expect([value, schemas.problems(body!.pointer, value)]).toEqual([value, []]);
  }
});

test('every word of the schemas of requests is understood', () => {
  const words = new Set<string>();
  const visit = (given: Schema, seen: Set<Schema>): void => {
    const schema = document.resolved(given);
    if (seen.has(schema)) return;
    seen.add(schema);
    for (const word of Object.keys(schema)) words.add(word);
    const { properties = {}, items, additionalProperties, oneOf = [], anyOf = [] } = schema;
    for (const inner of [...Object.values(properties), items, additionalProperties, ...oneOf, ...anyOf]) if (typeof inner === 'object' && inner !== null) visit(inner as Schema, seen);
  };
  const seen = new Set<Schema>();
  for (const { body, parameters } of document.operations) for (const schema of [body?.schema, ...parameters.map((each) => each.schema)]) if (schema) visit(schema, seen);
  expect([...words].filter((word) => ![...understood, 'title', 'description', 'default', 'example', 'writeOnly'].includes(word))).toEqual([]);
});

describe('a request', () => {
  const shots = (seed: number) => Array.from({ length: 300 }, (_, nth) => makeShot(document, someWorld(), diceOf(seed, 0, nth)));

  test('is the same for the same seed, and another for another', () => {
    expect(shots(1)).toEqual(shots(1));
    expect(shots(2)).not.toEqual(shots(1));
  });

  test('is right about as often as it is wrong, and wrong in every way', () => {
    const all = Array.from({ length: 4_000 }, (_, nth) => makeShot(document, someWorld(), diceOf(3, 0, nth)));
    const wrong = all.filter(({ spoilt }) => spoilt.length > 0);
    expect(wrong.length).toBeGreaterThan(1_200);
    expect(wrong.length).toBeLessThan(2_800);
    expect([...new Set(wrong.flatMap(({ spoilt }) => spoilt))].toSorted()).toEqual([
      'UTF-16', 'another top', 'another type', 'credential', 'cut short', 'duplicate keys', 'escapes', 'gzip', 'headers', 'method', 'not UTF-8', 'not quite JSON', 'path', 'query', 'raw', 'too large', 'trailing text', 'value',
    ]);
    expect(new Set(all.map(({ aim }) => aim)).size).toBe(document.operations.length);
  });
});
