import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { readConfig, type Config } from '../../core/config.ts';
import { createBusiness, type TestBusiness } from './business.ts';
import { rowsOf } from './database.ts';
import { startMapServer, type MapServer } from './map-server.ts';
import type { Made } from './records.ts';
import { startService, type TestService } from './service.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A service whose maps come from a server of ours. */
export interface RegionWorld {
  service: TestService;
  maps: MapServer;
  config: Config;
  /** The environment of the service's processes. */
  env: Record<string, string>;
  close(): Promise<void>;
}

export async function startRegionWorld(more: Record<string, string> = {}): Promise<RegionWorld> {
  const maps = await startMapServer();
  const env = { MILKRUN_MAP_SOURCE: `${maps.url}/{region}.osm.pbf`, MILKRUN_DATA: temporaryFolder(), MILKRUN_LOG_LEVEL: process.env.MILKRUN_LOG_LEVEL ?? 'silent', ...more };
  const service = await startService({ env });
  const config = readConfig({ ...env, DATABASE_URL: service.databaseUrl });
  return {
    service, maps, config, env: { ...env, DATABASE_URL: service.databaseUrl },
    async close() {
      await service.close();
      await maps.close();
    },
  };
}

/** All of the town of `osm-town.ts`, and some of what is around it. */
export const aroundTown = { type: 'Polygon', coordinates: [[[9.96, 53.53], [10.06, 53.53], [10.06, 53.57], [9.96, 53.57], [9.96, 53.53]]] };

/** A business with one region. */
export interface RegionBusiness extends TestBusiness {
  regionId: string;
  region(): Promise<Made>;
  install(): Promise<string>;
  job(id: string): Promise<Made>;
  /** How a job ends. */
  endOf(id: string): Promise<Made>;
  /** Every status that the region came to, in order. */
  statuses(): Promise<string[]>;
  datasets(): Promise<Made[]>;
  /** What there is on the disk. */
  files(): { datasets: string[]; scratch: string[]; parts: string[] };
  sql(statement: string, values?: unknown[]): Promise<Made[]>;
}

export async function regionBusiness({ service, config }: RegionWorld, { engine, regionId = 'town', geometry = aroundTown, admin }: { engine: string; regionId?: string; geometry?: object; admin?: TestBusiness['admin'] }): Promise<RegionBusiness> {
  const business = await createBusiness(service, { routing: { engine } }, admin);
  const { path, id } = business;
  const client = business.admin;
  const made = await client.post(`${path}/regions`, { id: regionId, name: 'Town', geometry });
  if (made.status !== 201) throw new Error(made.text);
  const sql = (statement: string, values: unknown[] = []) => rowsOf(service.databaseUrl, statement, values);
  const names = (folder: string) => (existsSync(join(config.dataDirectory, 'maps', folder)) ? (readdirSync(join(config.dataDirectory, 'maps', folder), { recursive: folder === 'sources' }) as string[]) : []);
  const job = async (jobId: string) => (await client.get(`${path}/jobs/${jobId}`)).body;
  return {
    ...business, regionId, sql, job,
    region: async () => (await client.get(`${path}/regions/${regionId}`)).body,
    async install() {
      const reply = await client.post(`${path}/regions/${regionId}/install`);
      if (reply.status !== 202) throw new Error(reply.text);
      return reply.body.job_id;
    },
    async endOf(jobId) {
      for (;;) {
        const found = await job(jobId);
        if (found.finished_at !== null) return found;
        await sleep(50);
      }
    },
    statuses: async () => (await sql(`select data->>'status' as status from events where business_id = $1 and type = 'region.status_changed' order by position`, [id])).map(({ status }) => status),
    datasets: () => sql('select version, engine, state, facts from region_datasets where business_id = $1 order by created_at', [id]),
    files: () => ({ datasets: names('datasets'), scratch: names('scratch'), parts: names('sources').filter((name) => name.endsWith('.part')) }),
  };
}
