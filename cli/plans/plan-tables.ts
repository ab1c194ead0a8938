import type { Context } from '../context.ts';
import { visible } from '../display-width.ts';
import { renderUnplanned } from '../jobs/job-end-view.ts';
import { renderTable, type Column } from '../table.ts';
import { clockText, distanceText, durationText } from '../units.ts';
import { addTotals, noTotals, totalsOf, type Plan, type Place, type RouteTotals } from './plan.ts';
import type { PlanReview } from './read-plans.ts';

type Look = Pick<Context, 'paint' | 'widthMax'>;

/** Every plan as a table, what is unplanned, and the totals. */
export function renderPlans(review: PlanReview, look: Look): string {
  const tables = review.plans.map((plan) => renderPlan(plan, review, look));
  const all = review.plans.map(totalsOf).reduce(addTotals, noTotals);
  const total = review.plans.length > 1 ? `${look.paint('bold', 'Total')}  ${review.plans.length} plans, ${totalsText(all)}\n` : '';
  return [...tables, renderUnplanned(review.unplanned, look).trimStart(), total].filter((part) => part !== '').join('\n');
}

interface Row {
  sequence: number | null;
  kind: string;
  order: string | null;
  arrival: string | null;
  start: string | null;
  end: string | null;
  wait: number;
  travel: number | null;
  meters: number | null;
}

const columns: readonly Column<Row>[] = [
  { title: '#', align: 'right', value: ({ sequence }) => sequence ?? ' ' },
  { title: 'kind', value: ({ kind }) => kind },
  { title: 'order', value: ({ order }) => order },
  { title: 'travel', align: 'right', value: ({ travel }) => (travel === null ? null : durationText(travel)) },
  { title: 'km', align: 'right', value: ({ meters }) => (meters === null ? null : (meters / 1000).toFixed(1)) },
  { title: 'arrival', value: ({ arrival }) => arrival },
  { title: 'wait', align: 'right', value: ({ wait }) => (wait === 0 ? null : durationText(wait)) },
  { title: 'start', value: ({ start }) => start },
  { title: 'end', value: ({ end }) => end },
];

export function renderPlan(plan: Plan, review: Pick<PlanReview, 'timeZone' | 'vehicles' | 'warehouses'>, look: Look): string {
  const name = review.vehicles.get(plan.vehicle_id)?.name ?? plan.vehicle_id;
  const facts = [`${plan.state}, revision ${plan.revision}`, plan.driver_id && `driver ${plan.driver_id}`, `plan ${plan.id}`].filter(Boolean).join(', ');
  const title = `${look.paint('bold', `${visible(name)}  ${plan.date}`)}  ${look.paint('dim', visible(facts))}\n`;
  const warnings = plan.warnings.map((warning) => `${look.paint('yellow', 'warning:')} ${visible(warning)}\n`).join('');
  const body = plan.stops.length === 0 ? 'no stops\n' : renderTable(columns, rowsOf(plan, review), look);
  return `${title}${body}${plan.stops.length === 0 ? '' : `${totalsText(totalsOf(plan))}\n`}${warnings}`;
}

/** The way out of the warehouse and the way back belong to the route as its stops do. */
function rowsOf(plan: Plan, { timeZone, vehicles, warehouses }: Pick<PlanReview, 'timeZone' | 'vehicles' | 'warehouses'>): Row[] {
  const clock = (instant: string) => clockText(instant, timeZone, plan.date);
  const home = warehouses.get(vehicles.get(plan.vehicle_id)?.warehouse_id ?? '');
  const nothing = { sequence: null, arrival: null, start: null, end: null, wait: 0, travel: null, meters: null };
  const nameAt = (place: Place) => [...warehouses.values()].find(({ location }) => isSamePlace(location, place))?.name ?? null;
  const stops = plan.stops.map((stop): Row => ({
    sequence: stop.sequence, kind: stop.kind, order: stop.order_id ?? nameAt(stop.location), wait: stop.wait_seconds, travel: stop.travel_seconds, meters: stop.travel_meters,
    arrival: clock(stop.arrival_at), start: clock(stop.start_at), end: clock(stop.end_at),
  }));
  const back = plan.return_leg;
  return [
    ...(plan.start_at ? [{ ...nothing, kind: 'leave', order: home?.name ?? null, end: clock(plan.start_at) }] : []),
    ...stops,
    ...(back ? [{ ...nothing, kind: 'return', order: nameAt(back.location) ?? home?.name ?? null, arrival: clock(back.arrival_at), travel: back.travel_seconds, meters: back.travel_meters }] : []),
  ];
}

const isSamePlace = (one: Place, other: Place) => one.latitude === other.latitude && one.longitude === other.longitude;

function totalsText({ stops, travelSeconds, travelMeters, serviceSeconds, waitSeconds }: RouteTotals): string {
  return `${stops} stops, ${durationText(travelSeconds)} of travel (${distanceText(travelMeters)}), ${durationText(serviceSeconds)} of service, ${durationText(waitSeconds)} of waiting`;
}
