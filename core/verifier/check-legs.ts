import type { Leg, OrderFacts, PlanUnderCheck, Travel } from './plan-under-check.ts';
import { drives, type Drive } from './drives.ts';
import type { Report } from './report.ts';
import { instant, lapse, offBy } from './words.ts';

/** Every leg: that a road leads there, that its figures are those of the road network, and that it takes exactly that long. */
export function checkLegs(plan: PlanUnderCheck, orders: Map<string, OrderFacts>, travel: Travel, report: Report): void {
  for (const drive of drives(plan, orders)) checkDrive(drive, travel(drive.from, drive.to, plan.vehicleId), report);
  const last = plan.stops.at(-1);
  const returns = plan.returnLeg;
  if (!last || !returns || isLive(last.orderId, orders)) return;
  if (returns.departureMs !== last.departureMs) {
    report('return_departure', null, `the vehicle leaves its last stop at ${instant(last.departureMs)}, but the return leg starts ${offBy(returns.departureMs, last.departureMs)}`);
  }
}

function checkDrive(drive: Drive, leg: Leg | null, report: Report): void {
  const { departureMs, arrivalMs, orderId, name } = drive;
  if (leg === null) {
    report('unreachable', orderId, `no road leads to ${name} from where the vehicle is before`);
    return;
  }
  if (drive.travelSeconds !== leg.seconds || drive.travelMetres !== leg.metres) {
    report('travel', orderId, `the leg to ${name} states ${lapse(drive.travelSeconds * 1000)} and ${drive.travelMetres} m, but the road takes ${lapse(leg.seconds * 1000)} and ${leg.metres} m`);
  }
  const expectedMs = departureMs + leg.seconds * 1000;
  if (arrivalMs !== expectedMs) {
    report('leg_time', orderId, `the vehicle leaves for ${name} at ${instant(departureMs)} and drives ${lapse(leg.seconds * 1000)}, but arrives at ${instant(arrivalMs)}, ${offBy(arrivalMs, expectedMs)}`);
  }
}

const isLive = (orderId: string | null, orders: Map<string, OrderFacts>) => orderId !== null && orders.get(orderId)?.live === true;
