/** Stands for daemon and worker where only starting and stopping matter: `node tiny-process.ts <name>`, as `milkrun up` calls them. */

import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { serve } from '../../launch/serve.ts';

const name = process.argv[2];
const log = (what: string) => appendFileSync(process.env.TINY_LOG!, `${name} ${what}\n`);

if (process.env.TINY_BROKEN === name) throw new Error(`${name} is broken`);

process.exit(await serve(async () => {
  const server = createServer((_request, response) => { response.end(JSON.stringify({ pid: process.pid, registration: process.env.MILKRUN_REGISTRATION })); });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address() as { port: number };
  log(`${process.pid} started`);
  return { url: `http://127.0.0.1:${port}`, close: async () => log('stopped') };
}));
