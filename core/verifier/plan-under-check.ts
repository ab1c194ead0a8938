/**
 * What the verifier is given: plans as they stand on the wire, and the facts that they must respect. Instants are whole milliseconds
 * since the epoch, places are indices that the caller chooses. Nothing here comes from the solver.
 */

export interface Leg {
  seconds: number;
  metres: number;
}

export interface Interval {
  startMs: number;
  endMs: number;
}

/** One vehicle's plan for one shift. Without stops it has no times and no return leg: the vehicle stays where it is. */
export interface PlanUnderCheck {
  planId: string;
  vehicleId: string;
  /** The local date on which the shift begins. */
  date: string;
  driverId: string | null;
  warehousePlace: number;
  /** Where the first leg starts. */
  startPlace: number;
  /** The working intervals of the shift, ascending and disjoint. */
  intervals: Interval[];
  gapPolicy: 'return_to_warehouse' | 'wait';
  /** The first departure. */
  startMs: number | null;
  /** The arrival at the end of the return leg. */
  endMs: number | null;
  stops: StopUnderCheck[];
  returnLeg: ReturnLegUnderCheck | null;
  /**
   * Where and when the vehicle goes on after its last live stop, when that is not the stop itself: the driver's last position.
   * Absent or null: it goes on from the stop, at the stop's departure.
   */
  resume?: { place: number; atMs: number } | null;
}

export interface StopUnderCheck {
  /** From 1, without holes. */
  sequence: number;
  kind: 'task' | 'break' | 'warehouse';
  /** Null for a `warehouse` stop, and only there. */
  orderId: string | null;
  place: number;
  arrivalMs: number;
  /** Of the service; of a `warehouse` stop, the start of the gap that it spans. */
  startMs: number;
  /** Of the service; of a `warehouse` stop, the end of the gap. */
  endMs: number;
  departureMs: number;
  /** Whole seconds from the arrival to the start; 0 at a `warehouse` stop. */
  waitSeconds: number;
  /** Of the leg that ends here. */
  travelSeconds: number;
  travelMetres: number;
  /** Who is at work when the stop is served. At a handover break that is still the driver who leaves. */
  driverId: string | null;
}

export interface ReturnLegUnderCheck {
  departureMs: number;
  arrivalMs: number;
  travelSeconds: number;
  travelMetres: number;
}

export interface OrderFacts {
  id: string;
  kind: 'task' | 'break';
  place: number;
  durationSeconds: number;
  windowStartMs: number;
  windowEndMs: number;
  /** The selected vehicle, or the one whose break it is; null where any may serve it. */
  vehicleId: string | null;
  lockedStartMs: number | null;
  lockedVehicleId: string | null;
  lockedDriverId: string | null;
  /** For a handover break: who takes over. */
  replacementDriverId: string | null;
  /** In progress or finished: its times are history, and only what it is and who serves it is checked. */
  live: boolean;
}

/** Work of a driver outside the plans under check. `what` names it in messages. */
export interface FixedSpan {
  driverId: string;
  startMs: number;
  endMs: number;
  what: string;
  /** The plan that it is a part of: an order in progress. */
  planId?: string;
}

/** Travel of a vehicle from one place to another; null where no road leads that it may use. */
export type Travel = (fromPlace: number, toPlace: number, vehicleId: string) => Leg | null;

export interface VerifyInput {
  travel: Travel;
  /** Least rest between two shifts of one driver; zero still means that they must not overlap. */
  restSeconds: number;
  plans: PlanUnderCheck[];
  /** Every order that a plan names. */
  orders: Map<string, OrderFacts>;
  fixedSpans: FixedSpan[];
  /** Orders that one of the plans has to hold, because a lock or an earlier plan does. */
  mustServe?: string[];
}
