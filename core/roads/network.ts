/**
 * A road network as it comes over the wire: part of a scenario. `x` is longitude and `y` latitude, in decimal degrees.
 * The names are those of the interface, so that a scenario's own arrays can be given as they are.
 */
export interface Network {
  nodes: NetworkNode[];
  edges: NetworkEdge[];
}

export interface NetworkNode {
  id: string;
  x: number;
  y: number;
}

/** Directed, unless `bidirectional`; the way back costs the same as the way there where no reverse value is given. */
export interface NetworkEdge {
  id: string;
  from: string;
  to: string;
  time_seconds: number;
  distance_meters: number;
  bidirectional?: boolean;
  reverse_time_seconds?: number;
  reverse_distance_meters?: number;
}

export interface NetworkProblem {
  /** JSON pointer into the network. */
  path: string;
  message: string;
}

/** A file with one systematic mistake has it a hundred thousand times; nobody reads more than these. */
const PROBLEMS_MAX = 100;

/** Everything that keeps a network from becoming a graph, in document order, at most the first hundred. */
export function networkProblems(network: Network): NetworkProblem[] {
  const problems: NetworkProblem[] = [];
  if (network.nodes.length === 0) problems.push({ path: '/nodes', message: 'must have at least one node' });

  const nodeIds = new Set<string>();
  for (let i = 0; i < network.nodes.length && problems.length < PROBLEMS_MAX; i++) {
    checkNode(network.nodes[i]!, nodeIds, (field, message) => problems.push({ path: `/nodes/${i}/${field}`, message }));
  }
  const edgeIds = new Set<string>();
  for (let i = 0; i < network.edges.length && problems.length < PROBLEMS_MAX; i++) {
    checkEdge(network.edges[i]!, { nodeIds, edgeIds }, (field, message) => problems.push({ path: `/edges/${i}/${field}`, message }));
  }
  return problems.slice(0, PROBLEMS_MAX);
}

type Found = (field: string, message: string) => void;

function checkNode(node: NetworkNode, ids: Set<string>, found: Found): void {
  if (ids.has(node.id)) found('id', `node id "${node.id}" is used more than once`);
  ids.add(node.id);
  if (!within(node.x, 180)) found('x', 'must be a longitude from -180 to 180');
  if (!within(node.y, 90)) found('y', 'must be a latitude from -90 to 90');
}

function checkEdge(edge: NetworkEdge, known: { nodeIds: Set<string>; edgeIds: Set<string> }, found: Found): void {
  if (known.edgeIds.has(edge.id)) found('id', `edge id "${edge.id}" is used more than once`);
  known.edgeIds.add(edge.id);
  for (const end of ['from', 'to'] as const) {
    if (!known.nodeIds.has(edge[end])) found(end, `names no node: "${edge[end]}"`);
  }
  for (const field of ['time_seconds', 'distance_meters'] as const) {
    if (!isAmount(edge[field])) found(field, 'must be a finite number, at least 0');
  }
  for (const field of ['reverse_time_seconds', 'reverse_distance_meters'] as const) {
    if (edge[field] === undefined) continue;
    if (edge.bidirectional !== true) found(field, 'has a meaning only where bidirectional is true');
    else if (!isAmount(edge[field])) found(field, 'must be a finite number, at least 0');
  }
}

function within(value: unknown, limit: number): boolean {
  return typeof value === 'number' && value >= -limit && value <= limit;
}

export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
