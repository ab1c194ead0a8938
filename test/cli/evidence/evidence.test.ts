import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { businessId, signedIn, type CommandLine } from '../command-line.ts';
import { startServiceDouble, type ServiceDouble } from '../service-double.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);
const record = {
  id: 'e-1', created_at: '2026-03-02T07:00:00Z', updated_at: '2026-03-02T07:00:00Z', revision: 1, deleted_at: null, deleted_by: null,
  order_id: 'o-1', kind: 'photo', content_type: 'image/png', size_bytes: 6, sha256: 'a'.repeat(64), width: 3, height: 2, uploaded_by: 'd-1',
};

let service: ServiceDouble;
let milkrun: CommandLine;
let file: string;
beforeAll(async () => { service = await startServiceDouble(); });
afterAll(() => service.close());
beforeEach(() => {
  service.seen.length = 0;
  service.on = {
    'evidence.upload': () => ({ body: record }),
    'driver.evidence.upload': () => ({ body: record }),
    'evidence.list': () => ({ body: { items: [record], next_cursor: null } }),
    'evidence.content': (_seen, response) => { response.writeHead(200, { 'content-type': 'image/png' }).end(image); },
  };
  milkrun = signedIn(service.url);
  file = join(temporaryFolder(), 'door.PNG');
  writeFileSync(file, image);
});

test('an image is sent as its bytes, in the type that its name says', async () => {
  expect(await milkrun.run(['evidence', 'upload', 'o-1', file, '--kind', 'photo', '--json'])).toMatchObject({ code: 0 });
  expect(service.seen[0]).toMatchObject({ operation: 'evidence.upload', parameters: { id: businessId, order: 'o-1' }, body: { kind: 'photo', content_type: 'image/png', bytes: [...image] } });
  expect((await milkrun.run(['driver', 'upload', 'o-1', file, '--kind', 'signature', '--content-type', 'image/webp'])).stdout).toContain('e-1');
  expect(service.seen[1]).toMatchObject({ operation: 'driver.evidence.upload', body: { kind: 'signature', content_type: 'image/webp' } });
});

test('a file that is not there or of no known type is refused before anything is sent', async () => {
  const nameless = join(temporaryFolder(), 'door');
  writeFileSync(nameless, image);
  expect(await milkrun.run(['evidence', 'upload', 'o-1', nameless, '--kind', 'photo'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--content-type') });
  expect(await milkrun.run(['evidence', 'upload', 'o-1', `${file}.png`, '--kind', 'photo'])).toMatchObject({ code: 2, stderr: expect.stringContaining('ENOENT') });
  expect(service.seen).toEqual([]);
});

test('the image comes back byte for byte', async () => {
  const copy = `${file}.copy`;
  expect(await milkrun.run(['evidence', 'download', 'e-1', '--output', copy])).toMatchObject({ code: 0, stderr: expect.stringContaining('6 bytes of image/png') });
  expect(readFileSync(copy)).toEqual(image);
  expect((await milkrun.run(['evidence', 'list', 'o-1'])).stdout).toContain('3 × 2');
  expect(await milkrun.run(['evidence', 'download', 'e-1'], { typed: [] })).toMatchObject({ code: 2, stderr: expect.stringContaining('--output') });
});

test('what is not there is told as such', async () => {
  delete service.on['evidence.content'];
  expect(await milkrun.run(['evidence', 'download', 'e-9', '--output', `${file}.none`])).toMatchObject({ code: 5, stderr: expect.stringContaining('nothing here') });
});
