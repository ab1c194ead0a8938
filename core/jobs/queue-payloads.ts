/** What the entry of each queue carries: ids only. State, progress and result of the work are in the database. */
export interface QueuePayloads {
  planning: { jobId: string };
  regions: { jobId: string };
  push: { businessId: string; deliveryId: string };
  webhooks: { businessId: string; webhookId: string };
}

export type QueueName = keyof QueuePayloads;

export const queueNames = ['planning', 'regions', 'webhooks', 'push'] as const satisfies readonly QueueName[];
