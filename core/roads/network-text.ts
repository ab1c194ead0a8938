import { createHash } from 'node:crypto';
import { networkProblems } from './network.ts';
import type { Network, NetworkEdge, NetworkNode, NetworkProblem } from './network.ts';

/** A network as it is kept and handed from thread to thread: its two fields as UTF-8 JSON, which nobody parses on the way. */
export interface NetworkText {
  nodes: SharedArrayBuffer;
  edges: SharedArrayBuffer;
}

export interface JudgedNetwork {
  problems: NetworkProblem[];
  /** SHA-256 of what travel depends on: the same for the same network, in whichever order the properties of a node or an edge stand. */
  digest: string;
}

export const judgeNetworkText = (text: NetworkText): JudgedNetwork => {
  const network = parseNetwork(text);
  return { problems: networkProblems(network), digest: digestOf(network) };
};

export const parseNetwork = ({ nodes, edges }: NetworkText): Network => ({ nodes: parseText(nodes) as NetworkNode[], edges: parseText(edges) as NetworkEdge[] });

/** The nodes that have one of these ids. */
export function nodesWithIds(nodes: SharedArrayBuffer, ids: readonly string[]): NetworkNode[] {
  const wanted = new Set(ids);
  return (parseText(nodes) as NetworkNode[]).filter(({ id }) => wanted.has(id));
}

export function textOf(value: unknown): SharedArrayBuffer {
  const bytes = Buffer.from(JSON.stringify(value));
  const text = new SharedArrayBuffer(bytes.length);
  new Uint8Array(text).set(bytes);
  return text;
}

const parseText = (text: SharedArrayBuffer): unknown => JSON.parse(Buffer.from(text).toString());

function digestOf({ nodes, edges }: Network): string {
  const hash = createHash('sha256');
  const parts = (name: string, items: readonly unknown[]) => hash.update(`${name} ${items.length}\n`).update(JSON.stringify(items));
  parts('nodes', nodes.map(({ id, x, y }) => [id, x, y]));
  parts('edges', edges.map((edge) => [edge.id, edge.from, edge.to, edge.time_seconds, edge.distance_meters, edge.bidirectional, edge.reverse_time_seconds, edge.reverse_distance_meters]));
  return hash.digest('hex');
}
