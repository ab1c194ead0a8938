import { bodyLimits, businessPath, inBusiness, operation, usualErrors, type JsonSchema, type Operation } from './operation.ts';
import { listOf, listQuery } from './schemas.ts';
import type { Scope } from './scopes.ts';

interface CrudShape {
  /** Plural, as in the path and in the operation ids. */
  plural: string;
  /** One of them, in words. */
  singular: string;
  read: Scope;
  write: Scope;
  record: JsonSchema;
  input: JsonSchema;
  patch: JsonSchema;
  query?: Record<string, JsonSchema>;
  /** What a creation answers where that is more than the record. */
  created?: JsonSchema;
  example: unknown;
  bulk?: boolean;
  textFields?: readonly string[];
}

/** The six operations that every managed resource has: list, create, get, PUT, PATCH (both merge) and DELETE. */
export function crudOperations(shape: CrudShape): Operation[] {
  const { plural, singular } = shape;
  const an = /^[aeiou]/.test(singular) ? 'an' : 'a';
  const path = `${businessPath}/${plural}`;
  const one = `${path}/{record_id}`;
  const common = { tag: plural, errors: usualErrors };
  const limit = { ...(shape.bulk ? { bodyLimit: bodyLimits.bulk } : {}), ...(shape.textFields ? { textFields: shape.textFields } : {}) };
  const update = { ...common, ...limit, path: one, access: inBusiness(shape.write), body: shape.patch, precondition: 'If-Match', status: 200, answer: shape.record, example: { body: shape.example } } as const;
  return [
    operation({ ...common, id: `${plural}.list`, method: 'GET', path, summary: `List ${plural}`, access: inBusiness(shape.read), query: { ...listQuery, ...shape.query }, status: 200, answer: listOf(shape.record) }),
    operation({ ...common, ...limit, id: `${plural}.create`, method: 'POST', path, summary: `Create ${an} ${singular}`, access: inBusiness(shape.write), body: shape.input, status: 201, answer: shape.created ?? shape.record, example: { body: shape.example } }),
    operation({ ...common, id: `${plural}.get`, method: 'GET', path: one, summary: `Read ${an} ${singular}`, access: inBusiness(shape.read), query: { record_status: listQuery.record_status, ...(shape.query?.view ? { view: shape.query.view } : {}) }, status: 200, answer: shape.record }),
    operation({ ...update, id: `${plural}.update`, method: 'PATCH', summary: `Update ${an} ${singular}` }),
    operation({ ...update, id: `${plural}.replace`, method: 'PUT', summary: `Update ${an} ${singular} (merges like PATCH)` }),
    operation({ ...common, id: `${plural}.delete`, method: 'DELETE', path: one, summary: `Delete ${an} ${singular}`, description: 'Soft: the record, its id and its history stay.', access: inBusiness(shape.write), precondition: 'If-Match', status: 204 }),
  ];
}
