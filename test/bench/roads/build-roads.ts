/** Runs as a child, as a build does: `node build-roads.ts FILE.osm.pbf DIRECTORY`. One line of JSON. */
import { buildDataset } from '../../../core/roads/dataset/build-dataset.ts';

const [, , pbf, directory] = process.argv;
const started = performance.now();
const built = buildDataset(pbf, directory);
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
process.stdout.write(JSON.stringify({ ...built, seconds: (performance.now() - started) / 1_000, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMegabytes: maxRSS / 1_000 }));
