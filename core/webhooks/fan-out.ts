import type { EntityManager, Store } from '../db/store.ts';
import { allEvents } from '../events/schema.ts';
import { newId } from '../records/ids.ts';
import type { DeliveryStatus } from './schema.ts';

/** Any number that nobody else takes: whoever fans out holds this lock, so that deliveries are made in the order of the events. */
const advisoryLock = 7_264_002;
const batchSize = 500;

interface WaitingEvent {
  business_id: string;
  id: string;
  type: string;
  position: string;
}

interface Subscriber {
  business_id: string;
  id: string;
  events: string[];
  active: boolean;
}

/**
 * Makes a delivery of each new event for each webhook that subscribes to it. An event is marked in the transaction that makes its
 * deliveries, so each is fanned out once, whatever crashes. How many events there were; null when somebody else is at it.
 */
export async function fanOut(store: Store): Promise<number | null> {
  return store.em.fork().transactional(async (em) => {
    const [{ isMine }] = await em.execute<[{ isMine: boolean }]>('select pg_try_advisory_xact_lock(?) as "isMine"', [advisoryLock]);
    if (!isMine) return null;
    const events = await em.execute<WaitingEvent[]>('select business_id, id, type, position from events where fanned_out_at is null order by position limit ?', [batchSize]);
    if (events.length === 0) return 0;
    const subscribers = await subscribersOf(em, events);
    await insertDeliveries(em, events.flatMap((event) => (subscribers.get(event.business_id) ?? []).filter((webhook) => isSubscribed(webhook, event)).map((webhook) => newDelivery(event, webhook))));
    const positions = JSON.stringify(events.map((event) => event.position));
    await em.execute('update events set fanned_out_at = now() where position in (select value::bigint from jsonb_array_elements_text(?::jsonb))', [positions]);
    return events.length;
  });
}

/** Webhooks by business. One that the service has switched off gets deliveries that are given up at once, for `recover` to find. */
async function subscribersOf(em: EntityManager, events: WaitingEvent[]): Promise<Map<string, Subscriber[]>> {
  const businessIds = JSON.stringify([...new Set(events.map((event) => event.business_id))]);
  const webhooks = await em.execute<Subscriber[]>(
    `select business_id, id, events, active from webhooks
     where business_id in (select value::uuid from jsonb_array_elements_text(?::jsonb)) and deleted_at is null and (active or disabled_reason is not null) order by business_id, id for share`,
    [businessIds],
  );
  return Map.groupBy(webhooks, (webhook) => webhook.business_id);
}

const isSubscribed = ({ events }: Subscriber, { type }: WaitingEvent): boolean => events.includes(allEvents) || events.includes(type);

interface NewDelivery {
  business_id: string;
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  position: string;
  status: DeliveryStatus;
  error: string | null;
}

const newDelivery = (event: WaitingEvent, webhook: Pick<Subscriber, 'id' | 'active'>): NewDelivery => ({
  business_id: event.business_id, id: newId(), webhook_id: webhook.id, event_id: event.id, event_type: event.type, position: event.position,
  ...(webhook.active ? { status: 'pending', error: null } : { status: 'gave_up', error: 'the webhook was switched off' }),
});

async function insertDeliveries(em: EntityManager, deliveries: NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await em.execute(
    `insert into webhook_deliveries (business_id, id, created_at, updated_at, webhook_id, event_id, event_type, position, status, error, next_attempt_at)
     select d.business_id, d.id, ?, ?, d.webhook_id, d.event_id, d.event_type, d.position, d.status, d.error, case when d.status = 'pending' then now() end
     from jsonb_to_recordset(?::jsonb) as d (business_id uuid, id text, webhook_id text, event_id uuid, event_type text, position bigint, status text, error text)
     on conflict (business_id, event_id, webhook_id) do nothing`,
    [new Date(), new Date(), JSON.stringify(deliveries)],
  );
}
