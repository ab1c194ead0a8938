/** What can be wrong with plans. One code for each rule, so that a test can break each rule by itself. */
export const violationCodes = [
  /** An instant that is no whole number, hours that are no ascending intervals: nothing else can be judged. */
  'malformed',
  /** The plan has stops but no times or no return leg, or the reverse, or does not end when its return leg does. */
  'plan_times',
  /** The same plan id twice, or two plans for one vehicle and date. */
  'plan_twice',
  /** Stops are not numbered 1, 2, 3. */
  'sequence',
  /** A stop names an order that does not exist. */
  'order_unknown',
  /** An order has two stops. */
  'order_twice',
  /** An order that must be served is in no plan. */
  'order_dropped',
  /** A stop is of another kind than its order, or a stop without an order is no warehouse stop. */
  'kind',
  /** A stop is not where its order or the warehouse is. */
  'place',
  /** No road leads from the stop before. */
  'unreachable',
  /** A leg states other seconds or metres than the road network. */
  'travel',
  /** A leg does not take exactly its travel time from departure to arrival. */
  'leg_time',
  /** The service starts before the vehicle has arrived. */
  'service_before_arrival',
  /** The service takes longer or shorter than the order says. */
  'duration',
  /** The stated wait is not the time from arrival to start. */
  'wait',
  /** The vehicle leaves before the service has ended. */
  'departure_before_end',
  /** The service is not wholly within the order's window. */
  'window',
  /** The service is not wholly within one working interval. */
  'service_outside_hours',
  /** A leg is not wholly within one working interval. */
  'travel_outside_hours',
  /** Under `return_to_warehouse` the vehicle is elsewhere during a gap. */
  'not_at_warehouse',
  /** A warehouse stop that is not a gap spent at the warehouse. */
  'warehouse_stop',
  /** The return leg does not begin when the last stop is left. */
  'return_departure',
  /** An order is on another vehicle than the selected one. */
  'vehicle_selected',
  /** A break is on another vehicle than its own. */
  'break_vehicle',
  /** A locked start has moved. */
  'lock_time',
  /** An order locked to a vehicle is on another one. */
  'lock_vehicle',
  /** An order locked to a driver is served by another one. */
  'lock_driver',
  /** A stop carries another driver than the plan and its handovers say. */
  'driver',
  /** A vehicle is in two plans at once. */
  'vehicle_overlap',
  /** A driver works at two places at once. */
  'driver_overlap',
  /** A driver rests too little between two shifts. */
  'rest',
] as const;
export type ViolationCode = (typeof violationCodes)[number];

export interface Violation {
  code: ViolationCode;
  planId: string;
  orderId: string | null;
  /** One sentence for the dispatcher. */
  message: string;
}
