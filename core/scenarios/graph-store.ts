import type { EntityManager, Store } from '../db/store.ts';
import type { NetworkText } from '../roads/network-text.ts';

/**
 * The graphs of scenarios: the JSON text of their nodes and of their edges, which for a large city are tens of megabytes. They lie in pieces,
 * so that neither process ever holds its event loop over one, and are found by their content: what has been kept never changes, and an
 * answer that names a graph can be given again as it was.
 */

export const graphFields = ['nodes', 'edges'] as const;
export type GraphField = (typeof graphFields)[number];

const pieceBytes = 256 * 1024;

interface Tables {
  scenario_graph_texts: { business_id: string; digest: string; field: GraphField; piece: number; text: Buffer };
}

/** Keeps a graph, or keeps it from being swept where it is there already. */
export async function keepGraph(em: EntityManager, businessId: string, digest: string, text: NetworkText): Promise<void> {
  const [{ is_new: isNew }] = await em.execute<{ is_new: boolean }[]>(
    `insert into scenario_graphs (business_id, digest, used_at) values (?, ?, now())
     on conflict (business_id, digest) do update set used_at = now() returning xmax = 0 as is_new`,
    [businessId, digest],
  );
  if (!isNew) return;
  for (const field of graphFields) {
    const bytes = Buffer.from(text[field]);
    for (let piece = 0; piece * pieceBytes < bytes.length; piece++) {
      // As a parameter of its own: the ORM would write it into the statement, letter by letter.
      await em.getKysely<Tables>().insertInto('scenario_graph_texts')
        .values({ business_id: businessId, digest, field, piece, text: bytes.subarray(piece * pieceBytes, (piece + 1) * pieceBytes) }).execute();
    }
  }
}

/** The text of one field, a piece at a time. */
export async function* graphPieces(em: EntityManager, businessId: string, digest: string, field: GraphField): AsyncGenerator<Buffer> {
  for (let piece = 0; ; piece++) {
    const [row] = await em.execute<{ text: Buffer }[]>('select text from scenario_graph_texts where business_id = ? and digest = ? and field = ? and piece = ?', [businessId, digest, field, piece]);
    if (row === undefined) {
      if (piece === 0) throw new Error(`there is no graph ${digest}`);
      return;
    }
    yield row.text;
    if (row.text.length < pieceBytes) return;
  }
}

export async function readGraphText(em: EntityManager, businessId: string, digest: string): Promise<NetworkText> {
  return { nodes: await readField(em, businessId, digest, 'nodes'), edges: await readField(em, businessId, digest, 'edges') };
}

export async function readField(em: EntityManager, businessId: string, digest: string, field: GraphField): Promise<SharedArrayBuffer> {
  const pieces: Buffer[] = [];
  for await (const piece of graphPieces(em, businessId, digest, field)) pieces.push(piece);
  const text = new SharedArrayBuffer(pieces.reduce((bytes, piece) => bytes + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    new Uint8Array(text).set(piece, at);
    at += piece.length;
  }
  return text;
}

/** Longer than any answer that names a graph can be had again. */
const unusedDaysMax = 2;
const sweptAtOnce = 20;

/** Removes graphs that no scenario has any more; how many. One that is being used at this moment is locked, and stays. */
export async function sweepGraphs(store: Store): Promise<number> {
  const rows = await store.em.fork().execute<unknown[]>(
    `delete from scenario_graphs where (business_id, digest) in (
       select business_id, digest from scenario_graphs as graph where used_at < now() - make_interval(days => ?)
         and not exists (select from scenarios where scenarios.business_id = graph.business_id and graph_digest = graph.digest)
       limit ? for update skip locked
     ) returning digest`,
    [unusedDaysMax, sweptAtOnce],
  );
  return rows.length;
}
