import { randomBytes } from 'node:crypto';
import type { Client } from './client.ts';
import type { TestService } from './service.ts';

export interface TestBusiness {
  id: string;
  /** Path prefix of its resources. */
  path: string;
  /** Its administrator. */
  admin: Client;
}

export const password = 'correct horse battery';

export async function signedIn(service: TestService, email = `${randomBytes(6).toString('hex')}@depot.example`): Promise<Client> {
  await service.anonymous.post('/api/v1/accounts', { email, password });
  const { body } = await service.anonymous.post('/api/v1/sessions', { email, password });
  return service.anonymous.as(body.access_token);
}

/** A business of its own, with an administrator who is signed in. Hashing a password takes its time, so many businesses may share one. */
export async function createBusiness(service: TestService, settings: Record<string, unknown> = {}, admin?: Client): Promise<TestBusiness> {
  admin ??= await signedIn(service);
  const { body } = await admin.post('/api/v1/businesses', { name: 'Test depot', time_zone: 'Europe/Berlin', ...settings });
  return { id: body.id, path: `/api/v1/businesses/${body.id}`, admin };
}

/** A key of the business with these scopes. */
export async function keyClient(business: TestBusiness, scopes: string[]): Promise<Client> {
  const { body } = await business.admin.post(`${business.path}/api-keys`, { name: 'test', scopes });
  return business.admin.as(body.key);
}
