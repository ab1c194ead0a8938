import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { listOf, listQuery, uuidSchema } from '../contract/schemas.ts';
import { apiKey, apiKeyInput, apiKeyWithSecret } from './schema.ts';

const path = `${businessPath}/api-keys`;
const one = `${path}/{key}`;
const common = { tag: 'api-keys', errors: usualErrors, access: inBusiness('integrations.manage') } as const;
const params = { key: uuidSchema };

const listApiKeys = operation({ ...common, id: 'api-keys.list', method: 'GET', path, summary: 'List integration keys', query: listQuery, status: 200, answer: listOf(apiKey) });
const createApiKey = operation({
  ...common, id: 'api-keys.create', method: 'POST', path, summary: 'Create an integration key', description: 'A key can not grant a scope that it lacks.',
  body: apiKeyInput, status: 201, answer: apiKeyWithSecret, example: { body: { name: 'Web shop', scopes: ['orders.read', 'orders.write'] } },
});
const getApiKey = operation({ ...common, id: 'api-keys.get', method: 'GET', path: one, params, summary: 'Read an integration key', status: 200, answer: apiKey });
const revokeApiKey = operation({ ...common, id: 'api-keys.revoke', method: 'POST', path: `${one}/revoke`, params, summary: 'Revoke an integration key', status: 204 });

export const apiKeyOperations = [listApiKeys, createApiKey, getApiKey, revokeApiKey];
