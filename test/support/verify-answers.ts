import { verifyPlans } from '../../core/verifier/verify-plans.ts';
import type { OrderFacts, PlanUnderCheck } from '../../core/verifier/plan-under-check.ts';
import type { Violation } from '../../core/verifier/violation.ts';
import { buildGraph } from '../../core/roads/build-graph.ts';
import { travelMatrixInThread } from '../../core/roads/road-threads.ts';
import { snapper } from '../../core/roads/snap.ts';
import { UNREACHABLE } from '../../core/roads/travel-matrix.ts';
import { shiftsOf } from '../../core/time/shifts.ts';
import type { Client } from './client.ts';
import type { Plan } from './line-world.ts';

/* eslint-disable @typescript-eslint/no-explicit-any */

/**
 * What the verifier says of a business's plans as they are answered, and of nothing else: records, roads and plans are read over the
 * interface, and none of the code that makes plans has a part in it.
 */
export async function verifyAnswers({ admin, path }: { admin: Client; path: string }, scenarioId: string): Promise<{ plans: Plan[]; violations: Violation[] }> {
  const read = async (below: string): Promise<any> => (await admin.get(path + below)).body;
  const [settings, scenario, plans, orders, vehicles, warehouses] = await Promise.all([
    read('/settings'), read(`/scenarios/${scenarioId}`), ...['plans', 'orders', 'vehicles', 'warehouses'].map(async (resource) => (await read(`/${resource}`)).items),
  ]);
  const { placeOf, travel } = await roadsOf(scenario, [...plans.flatMap((plan: Plan) => plan.stops), ...orders, ...warehouses]);
  const vehicleOf = byId(vehicles);
  const warehouseOf = byId(warehouses);
  const instant = (text: string | null | undefined) => (text ? Date.parse(text) : null);

  const underCheck = (plan: Plan): PlanUnderCheck => {
    const vehicle = vehicleOf.get(plan.vehicle_id);
    const warehousePlace = placeOf(warehouseOf.get(vehicle.warehouse_id));
    return {
      planId: plan.id, vehicleId: plan.vehicle_id, date: plan.date, driverId: plan.driver_id, warehousePlace, startPlace: warehousePlace,
      intervals: shiftsOf(vehicle.working_hours, settings.time_zone, plan.date, plan.date)[0]?.intervals ?? [],
      gapPolicy: vehicle.working_hours.gap_policy ?? 'return_to_warehouse',
      startMs: instant(plan.start_at), endMs: instant(plan.end_at),
      stops: plan.stops.map((stop: any) => ({
        sequence: stop.sequence, kind: stop.kind, orderId: stop.order_id ?? null, place: placeOf(stop), driverId: stop.driver_id,
        arrivalMs: instant(stop.arrival_at)!, startMs: instant(stop.start_at)!, endMs: instant(stop.end_at)!, departureMs: instant(stop.departure_at)!,
        waitSeconds: stop.wait_seconds, travelSeconds: stop.travel_seconds, travelMetres: stop.travel_meters,
      })),
      returnLeg: plan.return_leg && {
        departureMs: instant(plan.return_leg.departure_at)!, arrivalMs: instant(plan.return_leg.arrival_at)!,
        travelSeconds: plan.return_leg.travel_seconds, travelMetres: plan.return_leg.travel_meters,
      },
    };
  };
  const violations = verifyPlans({
    travel, restSeconds: settings.planning.min_rest_seconds ?? 0, fixedSpans: [],
    plans: plans.map(underCheck),
    orders: new Map(orders.map((order: any): [string, OrderFacts] => [order.id, {
      id: order.id, kind: order.type, place: placeOf(order), durationSeconds: order.duration_seconds,
      windowStartMs: Date.parse(order.window_start), windowEndMs: Date.parse(order.window_end),
      vehicleId: order.type === 'break' ? order.vehicle_id : null,
      lockedStartMs: instant(order.scheduled_at), lockedVehicleId: order.scheduled_at ? order.vehicle_id : null, lockedDriverId: order.scheduled_at ? order.driver_id : null,
      replacementDriverId: order.replacement_driver_id, live: false,
    }])),
    mustServe: orders.filter((order: any) => order.scheduled_at !== null).map((order: any) => order.id),
  });
  return { plans, violations };
}

const byId = (records: any[]) => new Map(records.map((record) => [record.id, record]));

async function roadsOf(scenario: any, somewhere: { location: { latitude: number; longitude: number } }[]) {
  const graph = buildGraph(scenario);
  const snap = snapper(graph);
  const nodeOf = ({ location }: { location: { latitude: number; longitude: number } }) => snap(location.longitude, location.latitude).node;
  const nodes = [...new Set(somewhere.map(nodeOf))];
  const placeOfNode = new Map(nodes.map((node, place) => [node, place]));
  // By plain searches, which share nothing with the hierarchy that plans are made with; in threads, as the service lives in this process.
  const { size, seconds, metres } = (await travelMatrixInThread(graph, Int32Array.from(nodes)))!;
  return {
    placeOf: (at: { location: { latitude: number; longitude: number } }) => placeOfNode.get(nodeOf(at))!,
    travel: (from: number, to: number) => (seconds[from * size + to] >= UNREACHABLE ? null : { seconds: seconds[from * size + to], metres: metres[from * size + to] }),
  };
}
