import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { commandLine } from '../command-line.ts';

let server: Server;
let url: string;
let statuses: Record<string, number>;
beforeAll(async () => {
  server = createServer((request, response) => { response.writeHead(statuses[request.url!] ?? 404, { 'content-type': 'text/plain' }).end('told\n'); });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => {
  server.closeAllConnections();
  server.close(resolve);
}));
beforeEach(() => { statuses = { '/livez': 200, '/readyz?verbose': 200, '/api/v1/me': 200 }; });

const examine = async (token = 'ms_1') => {
  const ran = await commandLine(url, { MILKRUN_TOKEN: token }).run(['doctor', '--json']);
  const { findings } = JSON.parse(ran.stdout) as { findings: { check: string; is_well: boolean }[] };
  return { code: ran.code, ill: findings.filter(({ is_well: isWell }) => !isWell).map(({ check }) => check) };
};

test('all is well', async () => {
  expect(await examine()).toEqual({ code: 0, ill: [] });
});

test('a service that is not ready is told by its name and by the exit code, once', async () => {
  statuses['/readyz?verbose'] = 503;
  expect(await examine()).toEqual({ code: 8, ill: ['ready'] });
});

test('a credential that has run out', async () => {
  statuses['/api/v1/me'] = 401;
  expect(await examine()).toEqual({ code: 7, ill: ['credential'] });
});

test('nobody there', async () => {
  const ran = await commandLine('http://127.0.0.1:1', { MILKRUN_TOKEN: 'ms_1' }).run(['doctor']);
  expect(ran.code).toBe(8);
  expect(ran.stdout).toContain('✓ node');
  expect(ran.stdout).toContain('✗ service: no answer from http://127.0.0.1:1');
});
