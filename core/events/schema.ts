/** What a webhook can subscribe to: contract part 7. */
export const eventTypes = [
  'order.created', 'order.updated', 'order.deleted', 'order.status_changed', 'order.planned', 'order.unplanned',
  'plan.created', 'plan.published', 'plan.superseded', 'plan.received',
  'job.completed', 'job.failed', 'job.cancelled',
  'driver.duty_changed', 'evidence.created', 'reservation.confirmed', 'region.status_changed', 'webhook.test',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Subscribes to all of them. */
export const allEvents = '*';

/**
 * Events that follow from what a transaction has written in orders, plans and jobs: `tell-changes.ts` finds them, so that no code
 * that changes one of these can forget to say so, or say so twice.
 */
export type DerivedEventType =
  | 'order.created' | 'order.updated' | 'order.deleted' | 'order.status_changed' | 'order.planned' | 'order.unplanned'
  | 'plan.created' | 'plan.published' | 'plan.superseded'
  | 'job.completed' | 'job.failed' | 'job.cancelled';
