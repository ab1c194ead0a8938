import type { Document, Operation, Schema } from './document.ts';
import { html, prose, type Html } from './html.ts';
import { eventView, operationView } from './operation-view.ts';
import { fieldsOf } from './schema-view.ts';

interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

/** The whole reference on one page: it reads without a script, which adds the search. */
export function docsPage(document: Document): string {
  const { info, tags } = document;
  const entries = Object.entries(document.paths).flatMap(([path, item]) => Object.entries(item).map(([method, operation]): Entry => ({ method, path, operation })));
  const sections = tags.map((tag) => ({ tag, entries: entries.filter(({ operation }) => operation.tags[0] === tag.name) })).filter((section) => section.entries.length > 0);
  const events = Object.entries(document.webhooks ?? {});
  const schemas = Object.entries(document.components.schemas).toSorted(([a], [b]) => a.localeCompare(b));
  return `<!doctype html>\n${html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} ${info.version}: API reference</title>
<link rel="stylesheet" href="/docs/docs.css">
<link rel="icon" href="/docs/docs.svg" type="image/svg+xml">
<script src="/docs/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the reference</a>
<nav aria-label="Reference">
  <header><a href="#main" class="brand">${info.title}</a> <span class="version">${info.version}</span></header>
  <input type="search" id="search" placeholder="Search ( / )" aria-label="Search operations" autocomplete="off" spellcheck="false">
  <p id="nothing" hidden>Nothing matches.</p>
  ${sections.map(({ tag, entries: inside }) => navSection(tag.name, inside))}
  ${events.length > 0 && html`<section><h2><a href="#events">events</a></h2><ul>${events.map(([type, { post }]) => html`<li data-for="${post.operationId}"><a href="#${post.operationId}">${type}</a></li>`)}</ul></section>`}
  <section><h2><a href="#schemas">schemas</a></h2></section>
</nav>
<main id="main">
  <header class="intro"><h1>${info.title} API</h1><p class="lead">${info.summary} <a href="/api/v1/openapi.json">OpenAPI document</a></p>${prose(info.description)}</header>
  ${sections.map(({ tag, entries: inside }) => html`<section class="tag"><h2 id="tag-${tag.name}">${title(tag.name)}</h2>${inside.map(({ method, path, operation }) => operationView(document, { method, path }, operation))}</section>`)}
  ${events.length > 0 && html`<section class="tag"><h2 id="events">Events</h2>${prose(events[0][1].post.description)}${events.map(([type, { post }]) => eventView(document, type, post))}</section>`}
  <section class="tag schemas"><h2 id="schemas">Schemas</h2>${schemas.map(([name, schema]) => schemaView(name, schema))}</section>
</main>
</body>
</html>`.text}\n`;
}

const title = (tag: string): string => tag.charAt(0).toUpperCase() + tag.slice(1).replaceAll('-', ' ');

const navSection = (tag: string, entries: Entry[]): Html =>
  html`<section><h2><a href="#tag-${tag}">${tag.replaceAll('-', ' ')}</a></h2><ul>${entries.map(({ method, operation }) => html`<li data-for="${operation.operationId}"><a href="#${operation.operationId}"><span class="method ${method}">${method.toUpperCase()}</span> ${operation.summary}</a></li>`)}</ul></section>`;

const schemaView = (name: string, schema: Schema): Html => html`<article class="schema" id="schema-${name}"><h3><a class="anchor" href="#schema-${name}">${name}</a></h3>${schema.description && prose(schema.description)}${fieldsOf(schema)}</article>`;
