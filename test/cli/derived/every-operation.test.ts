import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { placement } from '../../../cli/placement.ts';
import { operations } from '../../../core/operations.ts';
import { businessId, commandLine } from '../command-line.ts';
import { startServiceDouble, type ServiceDouble } from '../service-double.ts';

let service: ServiceDouble;
beforeAll(async () => { service = await startServiceDouble(); });
afterAll(() => service.close());

const derived = operations.flatMap((operation) => {
  const place = placement[operation.id];
  return place.words && place.by === 'derived' ? [{ id: operation.id, operation, place }] : [];
});

describe('its example is sent as the table says', () => {
  test.each(derived)('$id', async ({ operation, place }) => {
    const parameters = Object.fromEntries([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, name === 'id' ? businessId : 'a b/ü']));
    const operands = Object.entries(parameters).filter(([name]) => name !== 'id').map(([, value]) => value);
    const body = operation.example?.body;
    const milkrun = commandLine(service.url, { MILKRUN_TOKEN: operation.access.kind === 'driver' ? 'md_token' : 'ms_token', MILKRUN_BUSINESS: businessId });
    service.on = { [operation.id]: () => ({ status: 404, body: { error: { code: 'not_found', message: 'seen' } } }) };
    service.seen.length = 0;
    const ran = await milkrun.run([...place.words!, ...operands, ...(body ? ['--data', JSON.stringify(body)] : []), ...('question' in place && place.question ? ['--yes'] : [])]);
    expect(ran).toMatchObject({ code: 5, stderr: 'milkrun: seen\n' });
    expect(service.seen).toHaveLength(1);
    expect(service.seen[0]).toMatchObject({ operation: operation.id, parameters });
    expect(service.seen[0].body).toEqual(body);
    expect(service.seen[0].headers.authorization).toMatch(/^Bearer m[sd]_token$/);
  });
});
