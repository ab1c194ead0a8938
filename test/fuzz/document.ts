/** The OpenAPI document as the service serves it, in the form that making and judging requests needs. */

export type Schema = { readonly [key: string]: any };

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

export interface Promised {
  /** By media type; empty where there is no body. JSON Pointers into the document. */
  content: Record<string, string>;
  headers: Record<string, { required: boolean; schema: Schema }>;
}

/** Who is let in. `business` is an administrator or, where a scope is named, a key with it. */
export type Door = 'public' | 'account' | 'business' | 'driver';

export interface Described {
  id: string;
  method: string;
  /** Template. */
  path: string;
  parameters: Parameter[];
  body: { schema: Schema; pointer: string; isRequired: boolean } | null;
  responses: Map<number, Promised>;
  door: Door;
  scope: string | null;
  /** The title of what it answers where it succeeds. */
  answerTitle: string | null;
}

export interface Document {
  /** As it was served. */
  source: Schema;
  operations: Described[];
  byId(id: string): Described;
  /** A schema with its reference, if it is one, followed. */
  resolved(schema: Schema): Schema;
  /** What a request for this path (without query) meets: operations by method, the most concrete template first. Empty: nothing. */
  at(path: string): Map<string, Described>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

export function readDocument(source: Schema): Document {
  const follow = (pointer: string): string => {
    const { $ref } = valueAt(source, pointer) as { $ref?: string };
    return $ref === undefined ? pointer : follow($ref);
  };
  const resolved = (schema: Schema): Schema => (schema.$ref === undefined ? schema : resolved(valueAt(source, schema.$ref)));
  const operations = Object.entries(source.paths as Record<string, Schema>).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => describe(source, path, method, follow)));
  const ids = new Map(operations.map((operation) => [operation.id, operation]));
  const templates = [...Map.groupBy(operations, ({ path }) => path)]
    .map(([path, here]) => ({ pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), holes: path.split('{').length, here }))
    .sort((a, b) => a.holes - b.holes);
  return {
    source, operations, resolved,
    byId(id) {
      const operation = ids.get(id);
      if (operation === undefined) throw new Error(`the document has no operation ${id}`);
      return operation;
    },
    at(path) {
      const found = new Map<string, Described>();
      for (const { pattern, here } of templates) {
        if (pattern.test(path)) for (const operation of here) if (!found.has(operation.method)) found.set(operation.method, operation);
      }
      return found;
    },
  };
}

function describe(source: Schema, path: string, method: string, follow: (pointer: string) => string): Described {
  const base = `#/paths/${token(path)}/${method}`;
  const operation = valueAt(source, base);
  const parameters = (operation.parameters as Schema[]).map((_, index) => valueAt(source, follow(`${base}/parameters/${index}`)) as Parameter);
  const responses = new Map(Object.keys(operation.responses).map((status) => [Number(status), promisedAt(source, follow(`${base}/responses/${status}`))]));
  const success = [...responses].find(([status]) => status < 300)![1];
  const answer = success.content['application/json'];
  return {
    id: operation.operationId, method: method.toUpperCase(), path, parameters, responses,
    body: operation.requestBody ? { schema: operation.requestBody.content['application/json'].schema, pointer: `${base}/requestBody/content/application~1json/schema`, isRequired: operation.requestBody.required === true } : null,
    door: operation.security?.length === 0 ? 'public' : path.startsWith('/api/v1/driver/') ? 'driver' : path.startsWith('/api/v1/businesses/{id}') ? 'business' : 'account',
    scope: operation['x-scope'] ?? null,
    answerTitle: answer === undefined ? null : (valueAt(source, follow(answer)).title ?? null),
  };
}

function promisedAt(source: Schema, pointer: string): Promised {
  const { content = {}, headers = {} } = valueAt(source, pointer);
  const header = ({ $ref, ...here }: Schema): Schema => ($ref === undefined ? here : valueAt(source, $ref));
  return {
    content: Object.fromEntries(Object.keys(content).map((type) => [type, `${pointer}/content/${token(type)}/schema`])),
    headers: Object.fromEntries(Object.entries(headers as Record<string, Schema>).map(([name, given]) => [name, { required: header(given).required === true, schema: header(given).schema }])),
  };
}

export const token = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');

function valueAt(source: Schema, pointer: string): Schema {
  return pointer.slice(2).split('/').reduce<any>((place, part) => place[part.replaceAll('~1', '/').replaceAll('~0', '~')], source);
}
