import type { EntityManager } from '../db/store.ts';
import type { Graph } from '../roads/graph.ts';
import { buildGraphInThread } from '../roads/road-threads.ts';

/** Small enough that none holds the event loop while it is decoded. */
const sliceBytes = 256 * 1024;

/**
 * The graph of a scenario. Its roads come from the database as slices of text and go on to a thread, which parses them: a network of a large
 * city is tens of megabytes, and would hold the event loop for a second.
 */
export async function readGraph(em: EntityManager, businessId: string, scenarioId: string): Promise<Graph> {
  const rows = await em.execute<{ slice: Buffer }[]>(
    `with network as materialized (
       select convert_to(jsonb_build_object('nodes', nodes, 'edges', edges)::text, 'UTF8') as json from scenarios where business_id = ? and id = ?
     )
     select substring(json from start for ?) as slice from network, generate_series(1, length(json), ?) as start order by start`,
    [businessId, scenarioId, sliceBytes, sliceBytes],
  );
  const json = new SharedArrayBuffer(rows.reduce((bytes, { slice }) => bytes + slice.length, 0));
  let at = 0;
  for (const { slice } of rows) {
    new Uint8Array(json).set(slice, at);
    at += slice.length;
  }
  return buildGraphInThread(json);
}
