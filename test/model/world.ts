import type pg from 'pg';
import type { Client } from '../support/client.ts';
import type { TestClock } from '../support/clock.ts';
import { createBusiness } from '../support/business.ts';
import { at, hoursOf, ok } from '../support/line-world.ts';
import type { TestService } from '../support/service.ts';
import { instantAt, zone } from './calendar.ts';
import { observe, type Seen } from './seen.ts';
import type { Model, Season, VehicleState } from './state.ts';

/** The real service as the commands use it. */
export interface Real {
  service: TestService;
  clock: TestClock;
  db: pg.Client;
  id: string;
  path: string;
  admin: Client;
  /** By driver: the last session that was made, whether it still works or not. */
  apps: Map<string, Client>;
  /** What was seen last. */
  seen: Seen;
  steps: number;
}

export const restSeconds = 3_600;
/** Of travel from one node of the road to the next. */
export const leg = { seconds: 60, metres: 500 };

const hours = {
  van: hoursOf(['08:00-12:00', '13:00-17:00']),
  bus: hoursOf(['22:00-06:00']),
  truck: { ...hoursOf(['17:30-19:00', '20:00-21:30']), gap_policy: 'wait' as const },
};
const vehicles = [['van', 'anna', 'depot'], ['bus', 'bert', 'depot'], ['truck', 'anna', 'north']] as const;

/** What drivers may see and write is told apart by these fields. */
export const customFields = [
  { id: 'note', name: 'Note', type: 'text', driver_visible: true, driver_editable: true },
  { id: 'code', name: 'Code', type: 'text', driver_visible: true },
  { id: 'margin', name: 'Margin', type: 'number' },
];
export const visibleFields = ['note', 'code'];

/** A business of its own: three vehicles, three drivers, of whom one drives two vehicles, and two warehouses. */
export async function newWorld({ service, clock, db }: Pick<Real, 'service' | 'clock' | 'db'>, season: Season): Promise<{ model: Model; real: Real }> {
  clock.set(season.startMs);
  const { id, path, admin } = await createBusiness(service, { time_zone: zone, planning: { min_rest_seconds: restSeconds } });
  const make = async (resource: string, body: object) => ok(await admin.post(`${path}/${resource}`, body));
  const minutes = Array.from({ length: 91 }, (_, index) => index - 30);
  await make('scenarios', {
    id: 'line', name: 'Line',
    nodes: minutes.map((minute) => ({ id: `n${minute}`, x: at(minute).longitude, y: at(minute).latitude })),
    edges: minutes.slice(1).map((minute) => ({ id: `e${minute}`, from: `n${minute - 1}`, to: `n${minute}`, time_seconds: leg.seconds, distance_meters: leg.metres, bidirectional: true })),
  });
  ok(await admin.post(`${path}/scenarios/line/activate`));
  await make('schemas', { id: 'fields', name: 'Fields', fields: customFields });
  const model: Model = { season, nowMs: season.startMs, epoch: 0, orders: {}, vehicles: {}, drivers: {}, warehouses: {}, plans: {}, reservations: {} };
  for (const [warehouse, minute] of [['depot', 0], ['north', 10]] as const) {
    await make('warehouses', { id: warehouse, name: warehouse, location: at(minute) });
    model.warehouses[warehouse] = { id: warehouse, minute, isDeleted: false };
  }
  const apps = new Map<string, Client>();
  for (const driver of ['anna', 'bert', 'cara']) {
    const { activation_code: code } = await make('drivers', { id: driver, name: driver, email: `${driver}@drivers.example` });
    apps.set(driver, admin.as(ok(await service.anonymous.post('/api/v1/driver/sessions', { activation_code: code })).access_token));
    model.drivers[driver] = newDriver(driver, { isSignedIn: true });
  }
  for (const [vehicle, driver, warehouse] of vehicles) {
    await make('vehicles', { id: vehicle, name: vehicle, driver_id: driver, warehouse_id: warehouse, working_hours: hours[vehicle] });
    model.vehicles[vehicle] = { id: vehicle, name: vehicle, driverId: driver, warehouseId: warehouse, hours: hours[vehicle], isDeleted: false };
  }
  const real: Real = { service, clock, db, id, path, admin, apps, seen: undefined!, steps: 0 };
  real.seen = await observe(real, null);
  model.epoch = real.seen.epoch;
  return { model, real };
}

export const newDriver = (id: string, { isSignedIn }: { isSignedIn: boolean }): Model['drivers'][string] => ({
  id, isActive: true, isOnline: false, dutyVehicleId: null, minute: null, seenMs: null, isLocationDenied: false, hasApp: isSignedIn, isSignedIn, actions: {}, isDeleted: false,
});

/** Hours that a vehicle may be given. */
export const otherHours: readonly VehicleState['hours'][] = [
  hours.van, hours.bus, hours.truck,
  hoursOf(['09:00-15:00']),
  hoursOf([]),
  { ...hoursOf(['08:00-12:00', '13:00-17:00']), gap_policy: 'wait' },
  hoursOf(['00:00-24:00']),
  hoursOf(['08:00-17:00'], { '2031-03-30': ['01:30-05:00'], '2031-10-26': [] }),
];

export const clockTimes = ['00:30', '02:30', '08:15', '09:00', '10:30', '12:30', '14:00', '17:45', '20:15', '23:00'] as const;
export const someInstant = ({ season }: Model, pick: number): number => instantAt(season, Math.floor(pick / clockTimes.length) % 3, clockTimes[pick % clockTimes.length]);
