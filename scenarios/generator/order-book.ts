import { instant, MINUTE } from './calendar.ts';
import type { LaidStop, Span } from './lay-route.ts';
import type { Random } from './random.ts';
import type { SampleOrder, Somewhere, WitnessRoute } from './scenario.ts';

const QUARTER = 15 * MINUTE;

/** Orders made from laid stops: a window on the quarter hours is opened around each, and all are shuffled and numbered. */
export interface OrderBook {
  add: (vehicleId: string, stops: LaidStop[], options: AddOptions) => void;
  /** An order that is in no witness route. */
  addUnplanned: (order: Omit<SampleOrder, 'id'>) => void;
  close: () => { orders: SampleOrder[]; routes: WitnessRoute[] };
}

export interface AddOptions {
  windowHours: () => number;
  replacementDriverId?: string;
}

interface Entry {
  order: Omit<SampleOrder, 'id'>;
  /** Where it stands in the witness. */
  routeIndex: number | null;
  start: number;
}

export function orderBook(random: Random): OrderBook {
  const entries: Entry[] = [];
  const vehicleIds: string[] = [];
  return { add, addUnplanned: (order) => entries.push({ order, routeIndex: null, start: 0 }), close };

  function add(vehicleId: string, stops: LaidStop[], options: AddOptions): void {
    vehicleIds.push(vehicleId);
    for (const stop of stops) {
      entries.push({ order: orderOf(vehicleId, stop, options), routeIndex: vehicleIds.length - 1, start: stop.start });
    }
  }

  function orderOf(vehicleId: string, stop: LaidStop, options: AddOptions): Omit<SampleOrder, 'id'> {
    const isTask = stop.kind === 'task';
    const window = stop.window ?? windowAround(stop, Math.round(4 * options.windowHours()) * QUARTER);
    return {
      type: isTask ? 'task' : 'break',
      ...writtenAs(stop.site),
      duration_seconds: stop.durationSeconds,
      window_start: instant(window.start),
      window_end: instant(window.end),
      ...(isTask ? {} : { vehicle_id: vehicleId }),
      ...(stop.kind === 'handover' ? { replacement_driver_id: options.replacementDriverId! } : {}),
    };
  }

  function windowAround({ start, durationSeconds }: LaidStop, width: number): Span {
    const latest = Math.floor(start / QUARTER);
    const earliest = Math.max(0, Math.ceil((start + durationSeconds - width) / QUARTER));
    const windowStart = random.between(earliest, latest) * QUARTER;
    return { start: windowStart, end: windowStart + width };
  }

  function close(): { orders: SampleOrder[]; routes: WitnessRoute[] } {
    shuffle(entries, random);
    const routes: WitnessRoute[] = vehicleIds.map((vehicle_id) => ({ vehicle_id, stops: [] }));
    const digits = String(entries.length).length;
    const orders: SampleOrder[] = [];
    const stops: { routeIndex: number; order_id: string; start: number }[] = [];
    for (const [i, { order, routeIndex, start }] of entries.entries()) {
      const id = `order-${String(i + 1).padStart(digits, '0')}`;
      orders.push({ id, ...order });
      if (routeIndex !== null) stops.push({ routeIndex, order_id: id, start });
    }
    for (const { routeIndex, order_id, start } of stops.sort((a, b) => a.start - b.start)) {
      routes[routeIndex]!.stops.push({ order_id, start: instant(start) });
    }
    return { orders, routes };
  }
}

export function writtenAs({ location, node_id }: Somewhere): Somewhere {
  return location === undefined ? { node_id: node_id! } : { location };
}

/** Fisher and Yates. */
function shuffle<T>(items: T[], random: Random): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
}
