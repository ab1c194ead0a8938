import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runMapTask } from '../../../core/regions/build/run-map-task.ts';
import { obtainExtract } from '../../../core/regions/source/extract-store.ts';
import { mapAddress } from '../../../core/regions/source/map-address.ts';
import { bytesLikeAMap, startMapServer, type MapServer } from '../../support/map-server.ts';
import { writeOsmFile } from '../../support/osm-files.ts';
import { osmTown } from '../../support/osm-town.ts';
import { aroundTown } from '../../support/region-world.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A disk with next to nothing on it, where we may mount one. */
function mountSmallDisk(size: string): string | null {
  const directory = temporaryFolder();
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', directory]).status === 0 ? directory : null;
}

const disks = { tiny: mountSmallDisk('8k'), small: mountSmallDisk('66m') };
const testWithDisks = disks.tiny && disks.small ? test : test.skip;
let maps: MapServer;
beforeAll(async () => { maps = await startMapServer(); });
afterAll(async () => {
  await maps.close();
  for (const disk of Object.values(disks)) if (disk) spawnSync('umount', [disk]);
});

const obtain = async (folder: string, source: string) => obtainExtract(await mapAddress(source, { id: 'malta', name: 'Malta' }), {
  folder, attemptName: 'job.1', isInstalled: () => false, signal: new AbortController().signal, patience: { answerMs: 5_000, silenceMs: 5_000, retryMs: 1 }, onBytes: () => {}, onPhase: () => {},
});

testWithDisks('a download that will not fit is not begun, whatever the server says of its length', async () => {
  const map = bytesLikeAMap(3_000_000);
  maps.on['/malta.osm.pbf'] = map;
  await expect(obtain(disks.small!, `${maps.url}/{region}.osm.pbf`)).rejects.toThrow(/^The disk of .* is full: 70\.1 MB are needed, and \d+\.\d MB are free\. Free some space, then install again\.$/);
  maps.on['/malta.osm.pbf'] = (_request, response) => { response.writeHead(200); response.end(map); };
  await expect(obtain(disks.tiny!, `${maps.url}/{region}.osm.pbf`)).rejects.toThrow(/^The disk of .* is full: .* are needed/);
  const file = writeOsmFile(osmTown());
  await expect(obtain(disks.tiny!, file)).rejects.toThrow(/^The disk of .* is full/);
  expect((readdirSync(disks.tiny!, { recursive: true }) as string[]).filter((name) => name.endsWith('.pbf') || name.endsWith('.part'))).toEqual([]);
});

testWithDisks('a clip and a build that fill the disk say so', async () => {
  const source = writeOsmFile(osmTown());
  writeFileSync(join(disks.tiny!, 'filler'), Buffer.alloc(4_096));
  expect(() => writeFileSync(join(disks.tiny!, 'more'), Buffer.alloc(8_192))).toThrow('ENOSPC');
  const options = { memoryLimitBytes: 1e9, signal: new AbortController().signal };
  await expect(runMapTask('clip', { source, target: join(disks.tiny!, 'clip.osm.pbf'), geometry: aroundTown as never }, options)).rejects.toThrow(/^The disk of .* is full\. Free some space/);
  await expect(runMapTask('build', { engine: 'engine_b', pbf: source, directory: join(disks.tiny!, 'dataset'), memoryLimitBytes: 1e9, users: [] }, options)).rejects.toThrow(/^The disk of .* is full\. Free some space/);
});
