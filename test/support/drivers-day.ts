import type { Client, Reply } from './client.ts';
import { lineWorld, ok, time, type LineWorld } from './line-world.ts';
import { driverSession } from './records.ts';
import type { TestService } from './service.ts';

/** A business with one van and its driver, who is signed in; orders get their place by hand, so no background work is needed. */
export interface DriversDay extends LineWorld {
  /** By the driver `anna`. */
  app: Client;
  signIn(driverId: string): Promise<Client>;
  /** An order `minute` minutes east of the depot that starts at a clock time, on `van` unless another vehicle is named. */
  place(id: string, minute: number, clock: string, overrides?: Record<string, unknown>): Promise<string>;
  /** The statuses of all orders, as administrators see them in both views. */
  statuses(): Promise<Record<string, string>>;
  act(path: string, body?: object): Promise<Reply>;
}

export async function driversDay(service: TestService, settings: Record<string, unknown> = {}): Promise<DriversDay> {
  const world = await lineWorld(service, { settings });
  await world.driver('anna');
  await world.vehicle('van', { driver_id: 'anna' });
  const signIn = async (driverId: string) => driverSession(world, ok(await world.admin.post(`${world.path}/drivers/${driverId}/reset`)).activation_code);
  const app = await signIn('anna');
  return {
    ...world, app, signIn,
    act: (path, body = {}) => app.post(`/api/v1/driver${path}`, body),
    async place(id, minute, clock, overrides = {}) {
      await world.order(id, minute, { vehicle_id: 'van', scheduled_at: time(clock), ...overrides });
      return id;
    },
    async statuses() {
      const [draft, published] = await Promise.all(['planning', 'published'].map(async (view) => Object.fromEntries((await world.get(`/orders?view=${view}`)).items.map((order: { id: string; status: string }) => [order.id, order.status]))));
      if (JSON.stringify(draft) !== JSON.stringify(published)) throw new Error(`live status differs by view: ${JSON.stringify([draft, published])}`);
      return draft;
    },
  };
}
