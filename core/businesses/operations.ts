import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { listOf, listQuery } from '../contract/schemas.ts';
import { business, businessInput, settingsPatch } from './schema.ts';

const example = {
  name: 'Milk & Bread', time_zone: 'Europe/Berlin',
  planning: { travel_metric: 'time', objectives: ['completed_tasks', 'travel'], min_rest_seconds: 39_600 },
};
const tag = 'businesses';
const account = { kind: 'account' } as const;

const createBusiness = operation({
  id: 'businesses.create', method: 'POST', path: '/api/v1/businesses', tag, summary: 'Create a business', description: 'The creator becomes its administrator.',
  access: account, body: businessInput, status: 201, answer: business, errors: [401, 403, 422, 503], example: { body: example },
});
const listBusinesses = operation({ id: 'businesses.list', method: 'GET', path: '/api/v1/businesses', tag, summary: 'List my businesses', access: account, query: { limit: listQuery.limit, cursor: listQuery.cursor }, status: 200, answer: listOf(business), errors: [401, 403, 422, 503] });
const getBusiness = operation({ id: 'businesses.get', method: 'GET', path: businessPath, tag, summary: 'Read a business', access: inBusiness('settings.read'), status: 200, answer: business, errors: usualErrors });

const settings = { path: `${businessPath}/settings`, tag, answer: business, status: 200 } as const;
const getSettings = operation({ ...settings, id: 'settings.get', method: 'GET', summary: 'Read the settings of a business', access: inBusiness('settings.read'), errors: usualErrors });
const update = { ...settings, access: inBusiness(null), body: settingsPatch, settingsUpdate: true, precondition: 'If-Match', errors: [400, 401, 404, 409, 413, 415, 422, 503], example: { body: example } } as const;
const replaceSettings = operation({ ...update, id: 'settings.replace', method: 'PUT', summary: 'Update the settings of a business' });
const updateSettings = operation({ ...update, id: 'settings.update', method: 'PATCH', summary: 'Update the settings of a business' });

export const businessOperations = [createBusiness, listBusinesses, getBusiness, getSettings, replaceSettings, updateSettings];
