import { crudOperations } from '../contract/crud.ts';
import { vehicle, vehicleInput, vehiclePatch } from './schema.ts';

export const vehicleOperations = crudOperations({
  plural: 'vehicles', singular: 'vehicle', read: 'resources.read', write: 'resources.write',
  record: vehicle, input: vehicleInput, patch: vehiclePatch,
  example: {
    name: 'Van 3', warehouse_id: 'depot', color: '#1f77b4', height_meters: 2.6, weight_kg: 3500,
    working_hours: { weekly: { 0: [{ start: '08:00', end: '12:00' }, { start: '13:00', end: '17:00' }] }, overrides: { '2026-12-25': [] }, gap_policy: 'wait' },
  },
});
