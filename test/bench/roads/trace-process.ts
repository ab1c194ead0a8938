/**
 * Runs as a child: `trace-process.ts TILES`. What Valhalla makes of a way that is given: its stretches of road with the seconds that it takes for each, and for the whole.
 * A process of its own as in core/valhalla/query-process.ts, whose configuration leaves this out.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { valhallaConfig } from '../../../core/valhalla/config.ts';
import { findNativePackage } from '../../../core/valhalla/native-package.ts';
import { costingOf } from '../../../core/valhalla/profile.ts';

export type TraceTask = [longitude: number, latitude: number][];

export interface Trace {
  seconds: number;
  stretches: { road: string; metres: number; seconds: number }[];
}

interface Answer {
  edges: { length: number; speed: number; road_class: string; use: string; unpaved?: boolean; end_node?: { elapsed_time: number } }[];
}

const config = valhallaConfig({ tiles: process.argv[2], logs: false }) as { loki: { actions: string[] }; service_limits: { trace: object } };
config.loki.actions.push('trace_attributes');
Object.assign(config.service_limits.trace, { max_distance: 5_000_000, max_gps_accuracy: 100, max_search_radius: 100, max_shape: 1_000_000 });
const { Actor } = await import(pathToFileURL(join(findNativePackage().directory, 'index.mjs')).href) as { Actor: new (config: object) => { traceAttributes(query: string): Promise<string> } };
const actor = new Actor(config);

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (line: TraceTask) => { void trace(line).then((found) => process.send!(found ?? 'no way')); });

/** Null where the way leads over what is no road to Valhalla, or closed. */
async function trace(line: TraceTask): Promise<Trace | null> {
  const shape = line.map(([lon, lat]) => ({ lon, lat }));
  try {
    const { edges } = JSON.parse(await actor.traceAttributes(JSON.stringify({ ...costingOf({ costing: 'auto' }), units: 'kilometers', shape, shape_match: 'edge_walk' }))) as Answer;
    return {
      seconds: edges.at(-1)!.end_node!.elapsed_time,
      stretches: edges.map(({ length, speed, road_class: roadClass, use, unpaved }) => ({
        road: `${use === 'road' ? roadClass : use}${unpaved ? ', unpaved' : ''}`, metres: 1_000 * length, seconds: 3_600 * length / speed,
      })),
    };
  } catch (error) {
    if (/edge_walk|Map Match|no path|No suitable|route|shape/i.test((error as Error).message)) return null;
    throw error;
  }
}
