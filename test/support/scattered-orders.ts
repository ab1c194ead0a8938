import { at, ok, time, type LineWorld } from './line-world.ts';

/** So many orders along the road, in an order and with windows that leave a search something to do: enough that it does not stop by itself. */
export async function scatterOrders(world: LineWorld, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, index) => ({
    id: `order-${String(index).padStart(3, '0')}`, location: at((index * 37) % 80 - 20), duration_seconds: 300 + ((index * 53) % 7) * 60,
    window_start: time(`${String(8 + (index * 5) % 6).padStart(2, '0')}:00`), window_end: time('16:00'),
  }));
  ok(await world.admin.post(`${world.path}/orders/batch`, { items }));
}
