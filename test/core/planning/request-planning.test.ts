import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createBusiness } from '../../support/business.ts';
import { lineWorld, type LineWorld } from '../../support/line-world.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let w: LineWorld;
beforeAll(async () => {
  service = await startService();
  w = await lineWorld(service);
  await w.vehicle('van');
  await w.vehicle('gone');
  await w.admin.delete(`${w.path}/vehicles/gone`);
});
afterAll(() => service.close());

const preview = (body: object) => w.admin.post(`${w.path}/planning/preview`, { vehicle_ids: ['van'], date_start: '2026-03-02', date_end: '2026-03-02', ...body });

test('a job is accepted with its address', async () => {
  const { status, body, headers } = await preview({ objectives: ['travel'], seed: 4_294_967_295, time_limit_seconds: 0.5 });
  expect([status, body.status]).toEqual([202, 'queued']);
  expect(headers.get('location')).toBe(`${w.path}/jobs/${body.job_id}`);
  expect((await w.get(`/jobs/${body.job_id}`)).request).toMatchObject({ vehicle_ids: ['van'], dates: ['2026-03-02'], objectives: ['travel'], seed: 4_294_967_295, include_planned: false, schedule_lock: false, assignment_lock: false, time_limit_seconds: 0.5 });
});

test('the objectives come from the settings, and a seed is chosen, where the request is silent', async () => {
  await w.admin.patch(`${w.path}/settings`, { planning: { objectives: ['travel', 'completed_tasks'] } });
  const { body } = await preview({});
  const { request } = await w.get(`/jobs/${body.job_id}`);
  expect(request.objectives).toEqual(['travel', 'completed_tasks']);
  expect(Number.isInteger(request.seed)).toBe(true);
  await w.admin.patch(`${w.path}/settings`, { planning: { objectives: ['completed_tasks', 'travel'] } });
});

test.each([
  ['an unknown vehicle', { vehicle_ids: ['van', 'ghost'] }, '/vehicle_ids/1'],
  ['a deleted vehicle', { vehicle_ids: ['gone'] }, '/vehicle_ids/0'],
  ['no vehicle', { vehicle_ids: [] }, '/vehicle_ids'],
  ['a vehicle twice', { vehicle_ids: ['van', 'van'] }, '/vehicle_ids'],
  ['dates in reverse', { date_start: '2026-03-03' }, '/date_end'],
  ['a date that does not exist', { date_end: '2026-02-30' }, '/date_end'],
  ['an instant for a date', { date_start: '2026-03-02T00:00:00Z' }, '/date_start'],
  ['too many dates', { date_end: '2026-06-01' }, '/date_end'],
  ['a single date outside', { dates: ['2026-03-02', '2026-03-03'] }, '/dates/1'],
  ['no objective', { objectives: [] }, '/objectives'],
  ['an objective twice', { objectives: ['travel', 'travel'] }, '/objectives'],
  ['an unknown objective', { objectives: ['speed'] }, '/objectives/0'],
  ['a negative seed', { seed: -1 }, '/seed'],
  ['no iterations', { max_iterations: 0 }, '/max_iterations'],
  ['an unknown field', { iterations: 5 }, '/iterations'],
])('%s is refused', async (_what, body, path) => {
  const reply = await preview(body);
  expect([reply.status, reply.body.error.details.map((detail: { path: string }) => detail.path)]).toEqual([422, expect.arrayContaining([path])]);
});

test('all that is wrong is said at once', async () => {
  const { body } = await preview({ date_start: '2026-03-05', vehicle_ids: ['ghost', 'gone'] });
  expect(body.error.details.map((detail: { path: string }) => detail.path)).toEqual(['/date_end', '/vehicle_ids/0', '/vehicle_ids/1']);
});

test('without a road network there is no planning', async () => {
  const { admin, path } = await createBusiness(service);
  await admin.post(`${path}/warehouses`, { id: 'depot', name: 'Depot', location: { latitude: 52, longitude: 13 } });
  await admin.post(`${path}/vehicles`, { id: 'van', name: 'Van', warehouse_id: 'depot' });
  const { status, body } = await admin.post(`${path}/planning/preview`, { vehicle_ids: ['van'], date_start: '2026-03-02', date_end: '2026-03-02' });
  expect([status, body.error.code]).toEqual([503, 'unavailable']);
});
