import type { TestBusiness } from './business.ts';

type Fields = Record<string, unknown>;

/** The record that the service made of these fields; what they leave out is filled in, what they refer to must be there. */
export type Made = Record<string, any>;

async function create(business: TestBusiness, plural: string, body: Fields): Promise<Made> {
  const reply = await business.admin.post(`${business.path}/${plural}`, body);
  if (reply.status !== 201) throw new Error(`no ${plural}: ${reply.status} ${reply.text}`);
  return reply.body;
}

export const location = { latitude: 52.52, longitude: 13.405 };

export const warehouse = (business: TestBusiness, fields: Fields = {}): Promise<Made> => create(business, 'warehouses', { name: 'Depot', location, ...fields });

export const driver = (business: TestBusiness, fields: Fields = {}): Promise<Made> => create(business, 'drivers', { name: 'Driver', email: 'driver@drivers.example', ...fields });

/** Makes a warehouse for itself where it is given none. */
export async function vehicle(business: TestBusiness, fields: Fields = {}): Promise<Made> {
  return create(business, 'vehicles', { name: 'Van', warehouse_id: fields.warehouse_id ?? (await warehouse(business)).id, ...fields });
}

export const orderFields = { location, duration_seconds: 900, window_start: '2026-03-02T08:00:00Z', window_end: '2026-03-02T12:00:00Z' };
export const order = (business: TestBusiness, fields: Fields = {}): Promise<Made> => create(business, 'orders', { ...orderFields, ...fields });

export const customSchema = (business: TestBusiness, fields: Fields[], rest: Fields = {}): Promise<Made> => create(business, 'schemas', { name: 'Fields', fields, ...rest });

/** Two corners, a minute apart. */
export const graph = {
  nodes: [{ id: 'a', x: 13.4, y: 52.5 }, { id: 'b', x: 13.41, y: 52.5 }],
  edges: [{ id: 'ab', from: 'a', to: 'b', time_seconds: 60, distance_meters: 680, bidirectional: true }],
};
export const scenario = (business: TestBusiness, fields: Fields = {}): Promise<Made> => create(business, 'scenarios', { name: 'Two corners', ...graph, ...fields });

/** A session of a driver of the business. */
export async function driverSession(business: TestBusiness, activationCode: string): Promise<TestBusiness['admin']> {
  const { body } = await business.admin.as(undefined).post('/api/v1/driver/sessions', { activation_code: activationCode });
  return business.admin.as(body.access_token);
}

export const pathsOf = (reply: { body: any }): string[] => (reply.body.error.details ?? []).map((problem: { path: string }) => problem.path);
