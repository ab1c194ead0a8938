import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Document } from './document.ts';

/** Values against the schemas of the document. */
export interface Schemas {
  /** At most five problems of a value with the schema that the pointer names. */
  problems(pointer: string, value: unknown): string[];
  problemsOf(schema: object, value: unknown): string[];
}

export function schemasOf(document: Document): Schemas {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false });
  formats.default(ajv);
  ajv.addSchema({ ...document.source, $id: 'openapi' });
  const byPointer = new Map<string, ValidateFunction>();
  const bySchema = new WeakMap<object, ValidateFunction>();
  const said = (validate: ValidateFunction, value: unknown): string[] =>
    (validate(value) ? [] : validate.errors!.slice(0, 5).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`));
  return {
    problems(pointer, value) {
      if (value === undefined) return ['the body is not JSON'];
      if (!byPointer.has(pointer)) byPointer.set(pointer, ajv.compile({ $ref: `openapi${pointer.split('/').map(encodeURIComponent).join('/').replace('%23', '#')}` }));
      return said(byPointer.get(pointer)!, value);
    },
    problemsOf(schema, value) {
      if (!bySchema.has(schema)) bySchema.set(schema, ajv.compile(schema));
      return said(bySchema.get(schema)!, value);
    },
  };
}
