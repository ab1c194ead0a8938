import type { Paint } from '../colours.ts';
import { visible } from '../display-width.ts';
import { drawMap, type MapRoute } from '../map.ts';
import { distanceText, durationText } from '../units.ts';
import { totalsOf, type Plan } from './plan.ts';
import type { PlanReview } from './read-plans.ts';
import type { DrawnRoutes } from './read-routes.ts';

interface MapLook {
  columns: number;
  paint: Paint;
}

/** A drawing for each date, along the roads as far as they are known. A vehicle has the same letter on all of them. */
export function mapsOf(review: PlanReview, drawn: DrawnRoutes, look: MapLook): string {
  const vehicleIds = [...new Set(review.plans.map(({ vehicle_id: id }) => id))];
  const dates = [...new Set(review.plans.map(({ date }) => date))];
  const maps = dates.map((date) => {
    const plans = review.plans.filter((plan) => plan.date === date && plan.stops.length > 0);
    const warehouses = [...new Set(plans.flatMap((plan) => warehouseOf(plan, review) ?? []))];
    const map = drawMap({
      routes: plans.map((plan) => routeOf(plan, vehicleIds.indexOf(plan.vehicle_id), { ...review, ...drawn })),
      warehouses: warehouses.map(({ location }) => location),
      unplanned: unplannedOn(date, review),
    }, look);
    return map === '' ? '' : `\n${look.paint('bold', date)}\n${map}`;
  });
  return [...maps, ...drawn.attributions.map((text) => look.paint('dim', `${visible(text)}\n`))].join('');
}

const warehouseOf = (plan: Plan, { vehicles, warehouses }: PlanReview) => warehouses.get(vehicles.get(plan.vehicle_id)?.warehouse_id ?? '');

function routeOf(plan: Plan, number: number, { lines, ...review }: PlanReview & DrawnRoutes): MapRoute {
  const { stops, travelSeconds, travelMeters } = totalsOf(plan);
  const home = plan.start_at ? warehouseOf(plan, review)?.location : undefined;
  const stopPlaces = plan.stops.map(({ location }) => location);
  return {
    number,
    legend: `${review.vehicles.get(plan.vehicle_id)?.name ?? plan.vehicle_id}: ${stops} stops, ${durationText(travelSeconds)}, ${distanceText(travelMeters)}`,
    stops: plan.stops.filter(({ kind }) => kind !== 'warehouse').map(({ location, sequence }) => ({ ...location, sequence })),
    line: lines.get(plan.id) ?? [...(home ? [home] : []), ...stopPlaces, ...(plan.return_leg ? [plan.return_leg.location] : [])],
  };
}

/** On the dates that their windows touch. */
function unplannedOn(date: string, { unplanned, orders, timeZone }: PlanReview) {
  const localDate = (instant: string) => Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate().toString();
  return unplanned.flatMap(({ order_id: id }) => {
    const order = orders.get(id);
    return order && localDate(order.window_start) <= date && date <= localDate(order.window_end) ? [order.location] : [];
  });
}
