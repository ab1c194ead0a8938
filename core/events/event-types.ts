/** What a webhook can subscribe to: contract part 7. */
export const eventTypes = [
  'order.created', 'order.updated', 'order.deleted', 'order.status_changed', 'order.planned', 'order.unplanned',
  'plan.created', 'plan.published', 'plan.superseded', 'plan.received',
  'job.completed', 'job.failed', 'job.cancelled',
  'driver.duty_changed', 'evidence.created', 'reservation.confirmed', 'region.status_changed', 'webhook.test',
] as const;
export type EventType = (typeof eventTypes)[number];
