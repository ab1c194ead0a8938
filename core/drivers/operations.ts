import { crudOperations } from '../contract/crud.ts';
import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { driver, driverInput, driverPatch, driverWithCode } from './schema.ts';

const resetDriver = operation({
  id: 'drivers.reset', method: 'POST', path: `${businessPath}/drivers/{record_id}/reset`, tag: 'drivers',
  summary: 'Give a driver a new activation code', description: 'All sessions of the driver end.',
  access: inBusiness('accounts.manage'), precondition: 'If-Match', status: 200, answer: driverWithCode, errors: usualErrors,
});

export const driverOperations = [
  ...crudOperations({
    plural: 'drivers', singular: 'driver', read: 'accounts.manage', write: 'accounts.manage',
    record: driver, input: driverInput, patch: driverPatch, created: driverWithCode,
    example: { name: 'Driver Three', email: 'three@drivers.example', active: true },
  }),
  resetDriver,
];
