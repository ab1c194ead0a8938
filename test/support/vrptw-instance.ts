import type { Random } from '../../core/solver/random.ts';

export interface InstanceKind {
  name: string;
  customers: number;
  /** Customers anywhere, in towns, or half of each. */
  map: 'scattered' | 'towns' | 'mixed';
  /** Time and load for about ten customers in a route, or for many more. */
  horizon: 'short' | 'long';
  /** For everybody narrow or wide ones, or for some: the others are served at any time. */
  windows: 'narrow' | 'wide' | 'some';
}

interface Node {
  x: number;
  y: number;
  demand: number;
  ready: number;
  due: number;
  service: number;
}

/** An instance in Solomon's format, made the way Solomon (1987) and Gehring & Homberger (1999) made theirs; every customer can be served by a vehicle of its own. */
export function vrptwInstance(random: Random, kind: InstanceKind): string {
  const { name, customers, horizon } = kind;
  const side = Math.round(50 * Math.sqrt(customers / 25) * (customers < 200 ? 0.8 : 1));
  const places = layOut(random, kind, side);
  const service = kind.map === 'towns' ? 90 : 10;
  const closes = Math.round(horizon === 'short' ? 2.2 * side + 11 * service + 150 : 9 * side + 25 * service + 600);
  const depot: Node = { x: Math.round(side / 2), y: Math.round(side / 2), demand: 0, ready: 0, due: closes, service: 0 };
  const nodes = places.map(({ x, y }): Node => ({ x, y, demand: 1 + random.below(40), service, ...windowOf(random, kind, { depot, x, y, service }) }));
  const row = (node: Node, i: number) => [i, node.x, node.y, node.demand, node.ready, node.due, node.service].join(' ');
  return [
    name, '', 'VEHICLE', 'NUMBER CAPACITY', `${Math.ceil(customers / 4)} ${horizon === 'short' ? 240 : 1000}`, '',
    'CUSTOMER', 'CUST NO. XCOORD. YCOORD. DEMAND READY DUE SERVICE', '', ...[depot, ...nodes].map(row), '',
  ].join('\n');
}

function layOut(random: Random, { customers, map }: InstanceKind, side: number): { x: number; y: number }[] {
  const anywhere = () => ({ x: random.below(side + 1), y: random.below(side + 1) });
  const towns = Array.from({ length: Math.ceil(customers / (10 + random.below(6))) }, anywhere);
  const spread = () => random.below(7) + random.below(7) - 6;
  const inTown = (i: number) => {
    const { x, y } = towns[i % towns.length];
    return { x: Math.min(side, Math.max(0, x + spread())), y: Math.min(side, Math.max(0, y + spread())) };
  };
  return Array.from({ length: customers }, (_, i) => (map === 'scattered' || map === 'mixed' && i % 2 === 0 ? anywhere() : inTown(i)));
}

/** Around a time that is drawn evenly from those at which a vehicle of its own could come; as wide as the kind says. */
function windowOf(random: Random, { windows, horizon }: InstanceKind, { depot, x, y, service }: { depot: Node; x: number; y: number; service: number }): { ready: number; due: number } {
  const leg = Math.ceil(Math.hypot(x - depot.x, y - depot.y));
  const [first, last] = [leg, depot.due - service - leg];
  const middle = first + random.below(last - first + 1);
  const unit = horizon === 'short' ? 10 : 60;
  const half = windows === 'narrow' ? unit / 2 + random.below(unit) : unit * 2 + random.below(unit * 2);
  const isFree = windows === 'some' && random.below(2) === 0;
  return isFree ? { ready: 0, due: last } : { ready: Math.max(first, middle - half), due: Math.min(last, middle + half) };
}
