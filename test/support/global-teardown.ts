import { rmSync } from 'node:fs';
import type { Offer } from './global-setup.ts';

export default async function withdrawDatabase(): Promise<void> {
  rmSync(process.env.MILKRUN_TEST_FOLDER!, { recursive: true, force: true });
  const { broker, server } = (globalThis as unknown as { milkrunTestOffer: Offer }).milkrunTestOffer;
  broker.closeAllConnections();
  broker.close();
  // One that could not start has told the tests so, and has nothing left to stop.
  await server?.then(({ stop }) => stop(), () => {});
}
