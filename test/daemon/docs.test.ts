import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operations } from '../../core/operations.ts';
import { exampleOf } from '../../daemon/example-of.ts';
import { openApiDocument } from '../../daemon/openapi.ts';
import { compileBody } from '../../daemon/validation.ts';
import { html, prose } from '../../daemon/docs/html.ts';
import { docsPage } from '../../daemon/docs/page.ts';
import { startService, type TestService } from '../support/service.ts';

const document = JSON.parse(JSON.stringify(openApiDocument('1.2.3')));

describe('the OpenAPI document', () => {
  /** Rules of taste, or of other conventions than ours: each with the reason why it is off. */
  const off = {
    'tags-alphabetical': 'tags stand in the order in which people meet them',
    'info-contact': 'who runs the service is the contact',
    'scalar-property-missing-example': 'whole examples say more than one of each field',
    'required-string-property-missing-min-length': 'what the service answers needs no limits',
    'operation-4xx-problem-details-rfc7807': 'errors have the form that the specification of the interface gives them',
    'path-segment-plural': '/api/v1, /me and actions are no collections',
    'path-http-verbs-order': 'operations stand in the order of the table',
    'boolean-parameter-prefixes': 'the names of parameters are given',
    'response-mime-type': 'event streams and images are no JSON',
    'paths-kebab-case': 'the names of events are given',
  };

  test.each([['recommended-strict', {}], ['all', Object.fromEntries(Object.keys(off).map((rule) => [rule, 'off']))]])('passes the rules "%s" of a public linter', async (set, rules) => {
    const config = await createConfig({ extends: [set], rules } as never);
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([]);
  }, 30_000);

  test.each(operations.filter(({ answer }) => answer).map((operation) => [operation.id, operation] as const))('%s shows an answer that its schema accepts', (_id, { answer, path, method, status, produces = 'application/json' }) => {
    const { example } = document.paths[path][method.toLowerCase()].responses[status].content[produces];
    expect(compileBody(answer!)(structuredClone(example))).toEqual([]);
  });

  test('examples are made of what a schema says', () => {
    expect(exampleOf({ type: 'array', items: { type: 'string', format: 'uuid' } })).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(exampleOf({ title: 'BigThing', type: 'object', properties: { id: { type: 'string' }, state: { type: 'string', enum: ['a', 'b'] }, revision: { readOnly: true }, count: { type: 'integer', minimum: 3 } } })).toEqual({ id: 'big-thing-1', state: 'a', count: 3 });
  });
});

describe('the page', () => {
  const page = docsPage(document);

  test('tells of every operation how it is called, who may call it and what it answers', () => {
    for (const { id, path, summary, access, body, example } of operations) {
      const article = page.slice(page.indexOf(`<article class="operation" id="${id}"`));
      const own = article.slice(0, article.indexOf('</article>'));
      expect([id, own]).toEqual([id, expect.stringContaining(`<code>${path}</code>`)]);
      expect([id, own]).toEqual([id, expect.stringContaining(summary)]);
      if (access.kind === 'business' && access.scope) expect([id, own]).toEqual([id, expect.stringContaining(`>${access.scope}</span>`)]);
      if (body && typeof example?.body === 'object') expect([id, own]).toEqual([id, expect.stringContaining('<h4>Body')]);
      for (const status of Object.keys(document.paths[path][operations.find((each) => each.id === id)!.method.toLowerCase()].responses)) expect(own).toContain(`<th scope="row">${status}</th>`);
    }
  });

  test('every link on it leads somewhere, and every id is there once', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });

  test('text is text', () => {
    expect(html`<p title="${'"><script>'}">${'<b> & co'}${[html`<i>ok</i>`, null, 0]}</p>`.text).toBe('<p title="&quot;&gt;&lt;script&gt;">&lt;b&gt; &amp; co<i>ok</i>0</p>');
    expect(prose('**Bold** `<x>`\n\nNext.').text).toBe('<p><strong>Bold</strong> <code>&lt;x&gt;</code></p><p>Next.</p>');
    expect(docsPage({ ...document, info: { ...document.info, title: '<img>' } })).not.toContain('<img>');
  });
});

describe('/docs', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  test.each([['', 'text/html; charset=utf-8'], ['/docs.css', 'text/css; charset=utf-8'], ['/docs.js', 'text/javascript; charset=utf-8'], ['/docs.svg', 'image/svg+xml']])('%s is served from here, and may load nothing from elsewhere', async (path, type) => {
    const reply = await fetch(`${service.url}/docs${path}`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type]);
    expect(reply.headers.get('content-security-policy')).toContain(`default-src 'none'; script-src 'self'; style-src 'self'`);
    const text = await reply.text();
    // Names of standards are no places that are loaded.
    expect(text.replaceAll('http://www.w3.org/2000/svg', '').match(/(?:src|href)=["']?(?:https?:)?\/\/|url\(|@import|\son\w+=|<script>|style=/g)).toBeNull();
    // Left to itself, fetch asks that nothing be taken from a cache.
    const again = await fetch(`${service.url}/docs${path}`, { headers: { 'if-none-match': reply.headers.get('etag')!, 'cache-control': 'max-age=0' } });
    expect(again.status).toBe(304);
  });

  test('it is packed where that is understood', async () => {
    const [packed, plain] = await Promise.all(['gzip', 'identity'].map(async (encoding) => {
      const reply = await fetch(`${service.url}/docs`, { headers: { 'accept-encoding': encoding } });
      return { encoding: reply.headers.get('content-encoding'), text: await reply.text() };
    }));
    expect([packed.encoding, plain.encoding, packed.text === plain.text]).toEqual(['gzip', null, true]);
    expect(plain.text).toContain('<h1>Milkrun API</h1>');
  });

  test('its script names only what the page has', () => {
    const script = readFileSync(new URL('../../daemon/docs/docs.js', import.meta.url), 'utf8');
    const page = docsPage(document);
    for (const [, id] of script.matchAll(/getElementById\('(\w+)'\)/g)) expect(page).toContain(`id="${id}"`);
    expect(page).toContain('<script src="/docs/docs.js" defer></script>');
  });
});
