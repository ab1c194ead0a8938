import type { Schema } from './document.ts';
import { nameOf } from './document.ts';
import { html, inline, type Html, type Part } from './html.ts';

/** The fields of an object as a table; those of objects inside of it below them, unless they have a name of their own. */
export function fieldsOf(schema: Schema): Html {
  if (schema.$ref) return html`<p class="type">${typeOf(schema)}</p>`;
  const rows = rowsOf(schema, '');
  return rows.length === 0 ? html`<p class="type">${typeOf(schema)}</p>` : html`<table class="fields"><tbody>${rows}</tbody></table>`;
}

const depthMax = 4;

function rowsOf(schema: Schema, prefix: string, depth = 0): Html[] {
  if (depth > depthMax) return [];
  return Object.entries(schema.properties ?? {}).filter(([, field]) => !isIgnored(field)).flatMap(([name, field]) => [
    rowOf(name, field, { prefix, isRequired: schema.required?.includes(name) ?? false }),
    ...rowsOf(innerOf(field) ?? {}, `${prefix}${name}${field.items ? '[]' : ''}.`, depth + 1),
  ]);
}

/** Accepted so that what was read can be sent back, and without effect. */
const isIgnored = (field: Schema): boolean => field.readOnly === true && field.type === undefined && field.$ref === undefined;

const innerOf = (field: Schema): Schema | undefined => (field.properties ? field : field.items?.properties ? field.items : undefined);

function rowOf(name: string, field: Schema, { prefix, isRequired }: { prefix: string; isRequired: boolean }): Html {
  return html`<tr><th scope="row"><span class="path">${prefix}</span>${name}${isRequired && html`<span class="required" title="required">*</span>`}</th><td><span class="type">${typeOf(field)}</span> ${rulesOf(field)}${field.description && html`<div>${inline(field.description)}</div>`}</td></tr>`;
}

export function typeOf(schema: Schema): Part {
  if (schema.$ref) return html`<a href="#schema-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = [schema.type].flat().filter((type): type is string => type !== undefined);
  if (types.length === 0) return 'any';
  return types.map((type, index): Part => [index > 0 && ' or ', type === 'array' && schema.items ? html`array of ${typeOf(schema.items)}` : type]);
}

export function rulesOf(schema: Schema): Html {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const rules = [
    schema.format,
    range(minimum ?? exclusiveMinimum, maximum, exclusiveMinimum === undefined ? '' : 'more than '),
    lengths(minLength, maxLength, 'characters'),
    lengths(minItems, maxItems, 'items'),
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
    schema.readOnly && 'read only',
  ].filter(Boolean) as string[];
  const choices = schema.enum ?? schema.items?.enum;
  return html`${rules.length > 0 && html`<span class="rules">${rules.join(' · ')}</span>`}${choices && html`<div class="choices">${choices.map((choice) => html`<code>${typeof choice === 'string' ? choice : JSON.stringify(choice)}</code> `)}</div>`}`;
}

function range(min: number | undefined, max: number | undefined, more: string): string | false {
  if (min !== undefined && max !== undefined) return `${more}${min} to ${max}`;
  return min !== undefined ? `${more || 'at least '}${min}` : max !== undefined && `at most ${max}`;
}

function lengths(min: number | undefined, max: number | undefined, unit: string): string | false {
  const text = range(min, max, '');
  return text && `${text} ${unit}`;
}
