import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { idSchema, instantSchema, listOf, listQuery, viewQuery } from '../contract/schemas.ts';
import { plan, planInput, planPatch, planStates } from './schema.ts';

const path = `${businessPath}/plans`;
const one = `${path}/{record_id}`;
const common = { tag: 'plans', errors: usualErrors } as const;
const managed = 'Plans are made by planning and publication only: a valid body is refused with 422.';
const example = { body: { id: 'plan-1', vehicle_id: 'van-3', revision: 1, state: 'planning', stops: [] } };

const listPlans = operation({
  ...common, id: 'plans.list', method: 'GET', path, summary: 'List plans', access: inBusiness('planning.read'), status: 200, answer: listOf(plan),
  description: 'Without `state`: the latest planning version of each vehicle and shift (view=planning) or the published snapshot (view=published). With it: every version in that state.',
  query: {
    ...listQuery, ...viewQuery,
    state: { type: 'string', enum: planStates },
    vehicle_id: idSchema,
    from: { ...instantSchema, description: 'Plans that end after this.' },
    to: { ...instantSchema, description: 'Plans that start before this.' },
  },
});
const createPlan = operation({ ...common, id: 'plans.create', method: 'POST', path, summary: 'Refused: plans are made by planning', description: managed, access: inBusiness('planning.edit'), body: planInput, status: 201, answer: plan, example });
const getPlan = operation({ ...common, id: 'plans.get', method: 'GET', path: one, summary: 'Read a plan', access: inBusiness('planning.read'), query: { record_status: listQuery.record_status, ...viewQuery }, status: 200, answer: plan });
const update = { ...common, path: one, summary: 'Refused: plans are changed by planning', description: managed, access: inBusiness('planning.edit'), body: planPatch, status: 200, answer: plan, example } as const;
const updatePlan = operation({ ...update, id: 'plans.update', method: 'PATCH' });
const replacePlan = operation({ ...update, id: 'plans.replace', method: 'PUT' });
const deletePlan = operation({ ...common, id: 'plans.delete', method: 'DELETE', path: one, summary: 'Delete a plan that is superseded or finished', access: inBusiness('planning.edit'), precondition: 'If-Match', status: 204 });

export const planOperations = [listPlans, createPlan, getPlan, updatePlan, replacePlan, deletePlan];
