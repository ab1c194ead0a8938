import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { eventTypes } from '../../core/events/schema.ts';
import { operations } from '../../core/operations.ts';
import { openApiDocument } from '../../daemon/openapi.ts';
import { compileBody } from '../../daemon/validation.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const document = JSON.parse(JSON.stringify(openApiDocument(version)));
const described: [string, any][] = Object.entries(document.paths).flatMap(([path, item]) => Object.entries(item as object).map(([method, operation]): [string, any] => [`${method.toUpperCase()} ${path}`, operation]));

test('the committed document is fresh: `npm run openapi` writes it', () => {
  expect(JSON.parse(readFileSync(new URL('../../daemon/openapi.json', import.meta.url), 'utf8'))).toEqual(document);
});

test('every operation is described once, under an id of its own', () => {
  expect(described.map(([, { operationId }]) => operationId).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length);
});

test('every event is described, with a body that is nothing but itself', () => {
  expect(Object.keys(document.webhooks)).toEqual([...eventTypes]);
  for (const type of eventTypes) expect(document.webhooks[type].post.requestBody.content['application/json'].schema.properties.type.enum).toEqual([type]);
});

test('every reference leads somewhere, and every component is used', () => {
  const references = new Set<string>();
  walk(document, (key, value) => {
    if (key === '$ref') references.add(value as string);
  });
  for (const reference of references) expect([reference, resolve(reference)]).toEqual([reference, expect.any(Object)]);
  const components = [...Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`), ...Object.keys(document.components.responses).map((name) => `#/components/responses/${name}`)];
  expect(components.filter((name) => !references.has(name))).toEqual([]);
});

test('two schemas of one name are one schema', () => {
  const byTitle = new Map<string, string>();
  for (const { body, answer } of operations) {
    walk({ body, answer }, (_key, value) => {
      const title = (value as { title?: unknown } | null)?.title;
      if (typeof value !== 'object' || typeof title !== 'string') return;
      const text = JSON.stringify(value);
      expect([title, byTitle.get(title) ?? text]).toEqual([title, text]);
      byTitle.set(title, text);
    });
  }
  expect(byTitle.size).toBeGreaterThan(20);
});

describe.each(described)('%s', (name, operation) => {
  test('its parameters are those of its path, each declared once', () => {
    const inPath = [...name.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const parameters = operation.parameters.map((parameter: any) => (parameter.$ref ? resolve(parameter.$ref) : parameter));
    const declared = parameters.map((parameter: any) => `${parameter.in} ${parameter.name}`);
    expect(parameters.filter((parameter: any) => parameter.in === 'path').map((parameter: any) => parameter.name)).toEqual(inPath);
    expect(new Set(declared).size).toBe(declared.length);
    expect(parameters.every((parameter: any) => parameter.schema && (parameter.in !== 'path' || parameter.required))).toBe(true);
  });

  test('it has a summary, a tag that is declared, and answers for success and failure', () => {
    expect(operation.summary).toMatch(/^[A-Z]/);
    expect(document.tags.map((tag: any) => tag.name)).toContain(operation.tags[0]);
    const statuses = Object.keys(operation.responses).map(Number);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect(statuses).toEqual(expect.arrayContaining([422, 429, 503]));
    expect(statuses.includes(401) || operation.security?.length === 0).toBe(true);
  });

  test('where it heeds a precondition, it says what becomes of one that fails', () => {
    const names = operation.parameters.map((parameter: any) => parameter.name);
    expect([names.includes('If-Match'), names.includes('If-None-Match')]).toEqual(['412' in operation.responses, '304' in operation.responses]);
  });

  test('what it makes has an address', () => {
    for (const status of ['201', '202']) if (operation.responses[status]) expect(operation.responses[status].headers.Location).toBeDefined();
  });
});

describe('examples', () => {
  test.each(operations.filter(({ body }) => body).map((operation) => [operation.id, operation] as const))('%s has one, and its schema accepts it', (_id, operation) => {
    expect(operation.example?.body).toBeDefined();
    expect(compileBody(operation.body!)(structuredClone(operation.example!.body))).toEqual([]);
  });
});

test('nothing of ours that is no part of JSON Schema is left', () => {
  walk(document.components.schemas, (key, value) => {
    if (key === 'trim') expect(value).not.toEqual(expect.any(Boolean));
  });
});

const resolve = (reference: string): any => reference.slice(2).split('/').reduce<any>((place, key) => place?.[key], document);

function walk(value: unknown, visit: (key: string, value: unknown) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    visit(key, inner);
    walk(inner, visit);
  }
}
