import { pausing } from '../availability/pausing.ts';
import type { Location } from '../contract/schemas.ts';
import type { Line, RoadNetwork, VehicleNetwork } from '../networks/road-network.ts';
import type { Sized } from '../networks/road-user.ts';
import type { Plan } from '../plans/entity.ts';
import type { Stop } from '../plans/schema.ts';
import { BoundingBox } from './bounding-box.ts';
import { legsInOrder, type Drive, type Leg, type LegEnd } from './legs.ts';

/** So many lines come out of the threads together: the message that brings them is read in one go, and a leg of 400 km has some 16 000 points. */
const legsAtOnce = 4;

/** The GeoJSON of a plan's route, written leg by leg in pieces of text, because all of it at once would hold the event loop. */
export async function drawRoute(plan: Pick<Plan, 'id' | 'vehicleId' | 'shiftDate'>, drive: Drive, { network, vehicle }: { network: RoadNetwork; vehicle: Sized }): Promise<string[]> {
  const box = new BoundingBox();
  const features: string[] = [];
  for await (const feature of featuresOf(drive, network.for(vehicle))) {
    box.hold(feature.geometry.type === 'Point' ? [feature.geometry.coordinates] : feature.geometry.coordinates);
    features.push(`${features.length === 0 ? '' : ','}${JSON.stringify(feature)}`);
    await pausing();
  }
  const members = { type: 'FeatureCollection', plan_id: plan.id, vehicle_id: plan.vehicleId, date: plan.shiftDate, attribution: network.attribution, ...box.member() };
  return [JSON.stringify(members).slice(0, -1), ',"features":[', ...features, ']}'];
}

async function* featuresOf(drive: Drive, network: VehicleNetwork) {
  const legs = legsInOrder(drive);
  await network.find(legs.flatMap(({ from, to }) => [from.location, to.location]));
  for (let first = 0; first < legs.length; first += legsAtOnce) {
    const some = legs.slice(first, first + legsAtOnce);
    const lines = await network.lines(some.map(({ from, to }) => [network.placeAt(from.location), network.placeAt(to.location)] as const));
    for (const [nth, leg] of some.entries()) yield legFeature(leg, { sequence: first + nth + 1, line: lines[nth] });
  }
  for (const stop of drive.stops) yield stopFeature(stop);
}

function legFeature({ from, to, ...leg }: Leg, { sequence, line }: { sequence: number; line: Line | null }) {
  return {
    type: 'Feature', id: `leg-${sequence}`,
    geometry: { type: 'LineString' as const, coordinates: line ?? [positionOf(from.location), positionOf(to.location)] },
    properties: {
      sequence, from: presentEnd(from), to: presentEnd(to), departure_at: leg.departureAt, arrival_at: leg.arrivalAt,
      travel_seconds: leg.travelSeconds, travel_meters: leg.travelMetres, on_roads: line !== null,
    },
  };
}

const presentEnd = ({ kind, sequence, orderId }: LegEnd) => ({ kind, sequence, order_id: orderId });

const stopFeature = ({ sequence, kind, order_id, location, arrival_at, start_at, end_at, driver_id }: Stop) => ({
  type: 'Feature', id: `stop-${sequence}`,
  geometry: { type: 'Point' as const, coordinates: positionOf(location) },
  properties: { sequence, kind, order_id: order_id ?? null, arrival_at, start_at, end_at, driver_id },
});

const positionOf = ({ longitude, latitude }: Location) => [longitude, latitude] as const;
