import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { EntityManager } from '../db/store.ts';
import { RegionDataset } from './entity.ts';
import type { RegionGeometry } from './polygon.ts';

/**
 * Where maps are below the data directory, which all daemons and workers share:
 *
 *     maps/datasets/<version>/    a dataset; its name is never used again
 *     maps/scratch/<job>.<attempt>/    what a run is building
 *     maps/sources/<address>/    extracts as they were downloaded, by their content
 */
export const mapFolders = (dataDirectory: string) => {
  const root = join(dataDirectory, 'maps');
  return { root, datasets: join(root, 'datasets'), scratch: join(root, 'scratch'), sources: join(root, 'sources') };
};

export const datasetDirectory = (dataDirectory: string, version: string): string => join(mapFolders(dataDirectory).datasets, version);

/** The same for the same area, whatever the order of fields. */
export const hashOfGeometry = ({ type, coordinates }: RegionGeometry): string => createHash('sha256').update(JSON.stringify([type, coordinates])).digest('hex');

/** Nobody is given these datasets any more; they go when their last user has. */
export async function retireDatasets(em: EntityManager, regionId: string, except: string | null = null): Promise<void> {
  const datasets = await em.find(RegionDataset, { regionId, state: 'ready' });
  for (const dataset of datasets) {
    if (dataset.version !== except) Object.assign(dataset, { state: 'retired', retiredAt: new Date() });
  }
  await em.flush();
}
