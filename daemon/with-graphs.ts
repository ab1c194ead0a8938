import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { reader } from '../core/db/store.ts';
import { graphFields, graphPieces, type GraphField } from '../core/scenarios/graph-store.ts';
import type { Answer, Call } from './call.ts';

/** The JSON of an answer with the roads of its scenarios, which come from the database a piece at a time and are never one text. */
export function withGraphs({ service, businessId }: Call, body: object, graphs: NonNullable<Answer['graphs']>): Readable {
  // Nobody else can have written it.
  const seam = randomUUID();
  const holes: { digest: string; field: GraphField }[] = [];
  for (const { path, digest } of graphs) {
    const scenario = path.reduce<Record<string | number, unknown>>((value, step) => value[step] as Record<string, unknown>, body as Record<string, unknown>);
    for (const field of graphFields) scenario[field] = `${seam} ${holes.push({ digest, field }) - 1}`;
  }
  const parts = JSON.stringify(body).split(new RegExp(`"${seam} (\\d+)"`));
  return Readable.from((async function* () {
    for (const [index, part] of parts.entries()) {
      if (index % 2 === 0) yield part;
      else yield* graphPieces(reader(service.store, businessId), businessId, holes[Number(part)].digest, holes[Number(part)].field);
    }
  })(), { objectMode: false });
}
