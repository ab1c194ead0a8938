/** What the entry of each queue carries: ids only. State, progress and result of the work are in the database. */
export interface QueuePayloads {
  planning: { jobId: string };
}

export type QueueName = keyof QueuePayloads;

export const queueNames = ['planning'] as const satisfies readonly QueueName[];
