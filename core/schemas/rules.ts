import type { Problem } from '../contract/errors.ts';
import type { SchemaSnapshot } from './entity.ts';
import type { FieldDefinition } from './schema.ts';

/** What is wrong with the definitions of one schema; paths are below `/fields`. */
export function fieldDefinitionProblems(fields: FieldDefinition[]): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  fields.forEach((field, index) => {
    const path = `/fields/${index}`;
    if (seen.has(field.id)) problems.push({ path: `${path}/id`, message: 'is used twice' });
    seen.add(field.id);
    if (field.driver_editable && !field.driver_visible) problems.push({ path: `${path}/driver_editable`, message: 'a field that drivers do not see can not be editable for them' });
    if (field.type === 'select') problems.push(...choiceProblems(field, path));
    else {
      if (field.choices?.length) problems.push({ path: `${path}/choices`, message: 'are for select fields only' });
      if (field.multiple) problems.push({ path: `${path}/multiple`, message: 'is for select fields only' });
    }
  });
  return problems;
}

function choiceProblems(field: FieldDefinition, path: string): Problem[] {
  if (!field.choices?.length) return [{ path: `${path}/choices`, message: 'a select field needs at least one choice' }];
  const ids = field.choices.map((choice) => choice.id);
  return ids.flatMap((id, index) => (ids.indexOf(id) === index ? [] : [{ path: `${path}/choices/${index}/id`, message: 'is used twice' }]));
}

const isDate = (value: string): boolean => {
  try {
    return Temporal.PlainDate.from(value, { overflow: 'reject' }).toString() === value;
  } catch {
    return false;
  }
};

/** One value against its definition; undefined where it is right. `parseInstant` comes with the caller's calendar. */
function valueFault(field: FieldDefinition, value: unknown, isInstant: (text: string) => boolean): string | undefined {
  switch (field.type) {
    case 'text': return typeof value === 'string' && value.length <= 10_000 ? undefined : 'must be a text of at most 10000 characters';
    case 'number': return typeof value === 'number' && Number.isFinite(value) ? undefined : 'must be a number';
    case 'boolean': return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'date': return typeof value === 'string' && isDate(value) ? undefined : 'must be a date such as 2026-03-02';
    case 'datetime': return typeof value === 'string' && isInstant(value) ? undefined : 'must be an RFC 3339 instant with an offset';
    case 'select': return choiceFault(field, value);
  }
}

function choiceFault(field: FieldDefinition, value: unknown): string | undefined {
  const ids = (field.choices ?? []).map((choice) => choice.id);
  const isChoice = (one: unknown) => typeof one === 'string' && ids.includes(one);
  if (!field.multiple) return isChoice(value) ? undefined : `must be one of ${ids.join(', ')}`;
  const isRight = Array.isArray(value) && value.every(isChoice) && new Set(value).size === value.length;
  return isRight ? undefined : `must be a list of different choices out of ${ids.join(', ')}`;
}

/** Custom values against the definitions that an order has captured; null clears a value. Paths are below `/custom_fields`. */
export function customValueProblems(values: Record<string, unknown>, snapshot: SchemaSnapshot, isInstant: (text: string) => boolean): Problem[] {
  const fields = new Map(snapshot.schemas.flatMap((schema) => schema.fields.map((field) => [field.id, field] as const)));
  const problems: Problem[] = [];
  for (const [id, value] of Object.entries(values)) {
    const path = `/custom_fields/${pointerToken(id)}`;
    const field = fields.get(id);
    const fault = field === undefined ? 'is not a custom field of this order' : valueFault(field, value, isInstant);
    if (fault !== undefined) problems.push({ path, message: fault });
  }
  for (const field of fields.values()) {
    if (field.required && !Object.hasOwn(values, field.id)) problems.push({ path: `/custom_fields/${pointerToken(field.id)}`, message: 'is required' });
  }
  return problems;
}

/** RFC 6901. */
const pointerToken = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');
