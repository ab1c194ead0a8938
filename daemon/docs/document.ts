/** The parts of an OpenAPI document that the page shows. */
export interface Document {
  info: { title: string; version: string; summary: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response>; parameters: Record<string, Parameter> };
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  'x-scope'?: string;
  security?: unknown[];
  parameters: (Parameter | Reference)[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response | Reference>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Response {
  description: string;
  content?: Record<string, Media>;
}

interface Media {
  schema: Schema;
  example?: unknown;
}

export interface Reference {
  $ref: string;
}

export interface Schema {
  $ref?: string;
  title?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  readOnly?: boolean;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: boolean | Schema;
}

export const nameOf = ($ref: string): string => $ref.split('/').at(-1)!;

export function resolved<T extends object>(document: Document, value: T | Reference, kind: 'responses' | 'parameters'): T {
  return '$ref' in value ? (document.components[kind][nameOf(value.$ref)] as unknown as T) : value;
}
