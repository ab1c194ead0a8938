/** Plans and what they refer to, as far as the command line looks into them. */

export interface Place {
  latitude: number;
  longitude: number;
}

export interface Stop {
  sequence: number;
  kind: 'task' | 'break' | 'warehouse';
  order_id?: string;
  location: Place;
  arrival_at: string;
  start_at: string;
  end_at: string;
  departure_at: string;
  wait_seconds: number;
  travel_seconds: number;
  travel_meters: number;
  driver_id: string | null;
}

export interface ReturnLeg {
  departure_at: string;
  arrival_at: string;
  travel_seconds: number;
  travel_meters: number;
  location: Place;
}

/** One vehicle's work for one shift, in planning or as it was published. */
export interface Route {
  driver_id: string | null;
  start_at: string | null;
  end_at: string | null;
  stops: Stop[];
  return_leg: ReturnLeg | null;
}

export interface Plan extends Route {
  id: string;
  revision: number;
  vehicle_id: string;
  date: string;
  state: 'planning' | 'published' | 'superseded';
  warnings: string[];
  unplanned_order_ids: string[];
  published: (Route & { revision: number; published_at: string }) | null;
  job_id: string | null;
}

export interface Vehicle {
  id: string;
  name: string;
  warehouse_id: string;
}

export interface Warehouse {
  id: string;
  name: string;
  location: Place;
}

export interface Order {
  id: string;
  type: 'task' | 'break';
  status: string;
  revision: number;
  location: Place;
  window_start: string;
  window_end: string;
  scheduled_at: string | null;
}

export interface RouteTotals {
  stops: number;
  travelSeconds: number;
  travelMeters: number;
  serviceSeconds: number;
  waitSeconds: number;
}

/** As the service counts: a break is a stop, and its time service; a visit to the warehouse is neither. */
export function totalsOf({ stops, return_leg: back }: Pick<Route, 'stops' | 'return_leg'>): RouteTotals {
  const sum = (value: (stop: Stop) => number) => stops.reduce((total, stop) => total + value(stop), 0);
  return {
    stops: stops.filter(({ kind }) => kind !== 'warehouse').length,
    travelSeconds: sum((stop) => stop.travel_seconds) + (back?.travel_seconds ?? 0),
    travelMeters: sum((stop) => stop.travel_meters) + (back?.travel_meters ?? 0),
    serviceSeconds: sum((stop) => (stop.kind !== 'warehouse' ? Temporal.Instant.from(stop.start_at).until(stop.end_at).total('seconds') : 0)),
    waitSeconds: sum((stop) => stop.wait_seconds),
  };
}

export const addTotals = (one: RouteTotals, other: RouteTotals): RouteTotals => ({
  stops: one.stops + other.stops,
  travelSeconds: one.travelSeconds + other.travelSeconds,
  travelMeters: one.travelMeters + other.travelMeters,
  serviceSeconds: one.serviceSeconds + other.serviceSeconds,
  waitSeconds: one.waitSeconds + other.waitSeconds,
});

export const noTotals: RouteTotals = { stops: 0, travelSeconds: 0, travelMeters: 0, serviceSeconds: 0, waitSeconds: 0 };
