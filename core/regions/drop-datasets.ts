import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '../db/store.ts';
import { isUuid } from '../records/ids.ts';
import { datasetDirectory, mapFolders } from './datasets.ts';

/** What the attempts at a job, up to one of them, have left of what they were building. */
export async function removeBuilding(store: Store, dataDirectory: string, { jobId, attemptsBelow }: { jobId: string; attemptsBelow: number }): Promise<void> {
  const em = store.em.fork();
  const rows = await em.execute<{ version: string }[]>(`select version from region_datasets where job_id = ? and attempt < ? and state = 'building'`, [jobId, attemptsBelow]);
  for (const { version } of rows) await removeDataset(store, dataDirectory, version);
  const { scratch } = mapFolders(dataDirectory);
  for (const name of await readdir(scratch).catch(() => [] as string[])) {
    const [id, attempt] = name.split('.');
    if (id === jobId && Number(attempt) < attemptsBelow) await rm(join(scratch, name), { recursive: true, force: true });
  }
}

/** The directory before the row: who knows of it is the last to go. */
async function removeDataset(store: Store, dataDirectory: string, version: string): Promise<void> {
  await rm(datasetDirectory(dataDirectory, version), { recursive: true, force: true });
  await store.em.fork().execute(`delete from region_datasets where version = ? and state in ('building', 'dropping')`, [version]);
}

/** Whoever read of a dataset before it was replaced has so long to take hold of it: a request or a run that has just begun still gets it. */
const replacedMsMin = 60_000;

/**
 * Removes datasets that have been replaced and that nobody has open, what dead runs have left, and maps that nobody asks for any more. How
 * many datasets were removed.
 */
export async function sweepMaps(store: Store, dataDirectory: string, nowMs = Date.now()): Promise<number> {
  const em = store.em.fork();
  await em.execute('delete from region_dataset_holds where expires_at < now()');
  // Taking hold of a dataset locks its row, so that nobody comes in between.
  await em.execute(`update region_datasets set state = 'dropping' where state = 'retired' and retired_at <= to_timestamp(?) and not exists (select 1 from region_dataset_holds holds where holds.version = region_datasets.version)`, [(nowMs - replacedMsMin) / 1_000]);
  const dropping = await em.execute<{ version: string }[]>(`select version from region_datasets where state = 'dropping'`);
  for (const { version } of dropping) await removeDataset(store, dataDirectory, version);
  const left = await em.execute<{ job_id: string; attempt: number }[]>(
    `select d.job_id, max(case when j.status in ('completed', 'failed', 'cancelled') then d.attempt + 1 else j.attempt end) as attempt
     from region_datasets d join jobs j on j.business_id = d.business_id and j.id = d.job_id
     where d.state = 'building' and (j.attempt > d.attempt or j.status in ('completed', 'failed', 'cancelled')) group by d.job_id`,
  );
  for (const { job_id: jobId, attempt } of left) await removeBuilding(store, dataDirectory, { jobId, attemptsBelow: attempt });
  await sweepScratch(store, dataDirectory);
  await sweepSources(mapFolders(dataDirectory).sources, nowMs);
  return dropping.length;
}

async function sweepScratch(store: Store, dataDirectory: string): Promise<void> {
  const { scratch } = mapFolders(dataDirectory);
  for (const name of await readdir(scratch).catch(() => [] as string[])) {
    const [jobId, attempt] = name.split('.');
    if (!isUuid(jobId)) continue;
    // What belongs to no job of this database is somebody else's.
    const [job] = await store.em.fork().execute<{ attempt: number; over: boolean }[]>(`select attempt, status in ('completed', 'failed', 'cancelled') as over from jobs where id = ?`, [jobId]);
    if (job && (job.over || job.attempt > Number(attempt))) await rm(join(scratch, name), { recursive: true, force: true });
  }
}

const dayMs = 24 * 3_600_000;
/** Replaced maps, which a build may still be reading; downloads that broke off; maps that nobody has asked for. */
const ageMsMax = { replaced: dayMs, part: 7 * dayMs, present: 60 * dayMs };

async function sweepSources(sources: string, nowMs: number): Promise<void> {
  for (const address of await readdir(sources).catch(() => [] as string[])) {
    const folder = join(sources, address);
    const names = await readdir(folder).catch(() => [] as string[]);
    const files = (await Promise.all(names.map(async (name) => ({ name, found: await stat(join(folder, name)).catch(() => null) })))).filter(({ found }) => found?.isFile());
    const maps = files.filter(({ name }) => name.endsWith('.osm.pbf')).sort((a, b) => b.found!.mtimeMs - a.found!.mtimeMs);
    for (const { name, found } of files) {
      const rank = maps.findIndex((map) => map.name === name);
      const limitMs = name.includes('.part') ? ageMsMax.part : rank > 0 ? ageMsMax.replaced : rank === 0 ? ageMsMax.present : Infinity;
      if (nowMs - found!.mtimeMs > limitMs) await rm(join(folder, name), { force: true });
    }
  }
}
