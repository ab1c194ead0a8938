import type { Network } from '../../core/roads/network.ts';

/** The wire shape of a scenario and of its sample records: specification 2.2 to 2.5, 2.8 and 2.9. */
export interface Scenario extends Network {
  id: string;
  name: string;
  warehouses: SampleWarehouse[];
  vehicles: SampleVehicle[];
  drivers: SampleDriver[];
  orders: SampleOrder[];
}

/** A sample record stands at a location or at a node. */
export interface Somewhere {
  location?: { latitude: number; longitude: number };
  node_id?: string;
}

export interface SampleWarehouse extends Somewhere {
  id: string;
  name: string;
}

export interface SampleDriver {
  id: string;
  name: string;
  email: string;
}

export interface SampleVehicle {
  id: string;
  name: string;
  warehouse_id: string;
  driver_id: string;
  working_hours: WorkingHours;
}

export interface WorkingHours {
  weekly: Record<string, ClockInterval[]>;
  overrides: Record<string, ClockInterval[]>;
  gap_policy?: 'return_to_warehouse' | 'wait';
}

export interface ClockInterval {
  start: string;
  end: string;
}

export interface SampleOrder extends Somewhere {
  id: string;
  type: 'task' | 'break';
  duration_seconds: number;
  window_start: string;
  window_end: string;
  vehicle_id?: string;
  replacement_driver_id?: string;
}

/**
 * A plan that serves what can be served: the generator lays it first and then opens a window around every stop, so that it is
 * known what can be planned. It is not part of the file. It is far from the best one.
 */
export interface Witness {
  routes: WitnessRoute[];
}

export interface WitnessRoute {
  vehicle_id: string;
  stops: { order_id: string; start: string }[];
}

export interface Generated {
  scenario: Scenario;
  witness: Witness;
}

/** One record per line, so that a change reads well in a diff and the file stays small. */
export function scenarioText({ id, name, ...lists }: Scenario): string {
  const parts = Object.entries(lists).map(([key, records]) => {
    const lines = records.map((record) => JSON.stringify(record)).join(',\n');
    return `${JSON.stringify(key)}:[\n${lines}\n]`;
  });
  return `{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},\n${parts.join(',\n')}}\n`;
}
