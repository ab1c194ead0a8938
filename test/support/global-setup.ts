/**
 * Offers a PostgreSQL to the tests that ask for one: `MILKRUN_TEST_DATABASE_URL`, or an embedded one that is started when the first
 * test asks. Tests of pure computation never pay for it. The answer is the URL of the server's migrated template database.
 */

import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../launch/embedded-postgres.ts';
import { migrateAll } from '../../launch/migrate.ts';

interface TestServer {
  templateUrl: string;
  stop(): Promise<void>;
}

/** What global-teardown.ts, which runs in the same process, has to close. */
export interface Offer {
  broker: Server;
  server: Promise<TestServer> | undefined;
}

const offer: Partial<Offer> = {};

export default async function offerDatabase(): Promise<void> {
  process.env.MILKRUN_TEST_FOLDER = mkdtempSync(join(tmpdir(), 'milkrun-tests-'));
  offer.broker = createServer((_request, response) => {
    offer.server ??= startTestServer();
    offer.server.then(
      ({ templateUrl }) => { response.end(templateUrl); },
      (error: Error) => { response.writeHead(500).end(error.stack); },
    );
  });
  await new Promise<void>((resolve) => { offer.broker!.listen(0, '127.0.0.1', resolve); });
  process.env.MILKRUN_TEST_BROKER = `http://127.0.0.1:${(offer.broker.address() as AddressInfo).port}/`;
  Object.assign(globalThis, { milkrunTestOffer: offer });
}

async function startTestServer(): Promise<TestServer> {
  const given = process.env.MILKRUN_TEST_DATABASE_URL;
  if (given) return prepareTemplate(given, async () => {});
  const directory = mkdtempSync(join(tmpdir(), 'milkrun-test-'));
  const server = await startEmbeddedPostgres({ directory, isTemporary: true });
  return prepareTemplate(server.url, server.stop);
}

async function prepareTemplate(serverUrl: string, stopServer: () => Promise<void>): Promise<TestServer> {
  const template = `milkrun_template_${process.pid}`;
  const stop = async () => {
    await run(serverUrl, `drop database if exists ${template} with (force)`);
    await stopServer();
  };
  const url = new URL(serverUrl);
  url.pathname = `/${template}`;
  try {
    await run(serverUrl, `create database ${template}`);
    await migrateAll({ databaseUrl: url.href });
    return { templateUrl: url.href, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
