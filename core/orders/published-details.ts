import type { Location } from '../contract/schemas.ts';
import { instant } from '../records/present.ts';
import { parseInstant } from '../time/instants.ts';
import type { Order } from './entity.ts';

/** What drivers go by besides the place in their plan: the order as it was when it was published, whatever is edited since. */
export interface PublishedDetails {
  location: Location;
  duration_seconds: number;
  window_start: string;
  window_end: string;
  replacement_driver_id: string | null;
}

type DetailColumns = Pick<Order, 'location' | 'durationSeconds' | 'windowStart' | 'windowEnd' | 'replacementDriverId'>;

export const detailsOf = ({ location, durationSeconds, windowStart, windowEnd, replacementDriverId }: DetailColumns): PublishedDetails => ({
  location, duration_seconds: durationSeconds, window_start: instant(windowStart), window_end: instant(windowEnd), replacement_driver_id: replacementDriverId ?? null,
});

/** The columns that say again what was published. */
export const columnsOf = (details: PublishedDetails): DetailColumns => ({
  location: details.location, durationSeconds: details.duration_seconds, replacementDriverId: details.replacement_driver_id,
  windowStart: new Date(parseInstant(details.window_start)!), windowEnd: new Date(parseInstant(details.window_end)!),
});
