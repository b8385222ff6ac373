import type { WorkflowRun } from '@store-service/sdk';

/** Statuses of deliveries, the one that concerns people most first. */
const worstFirst = ['EXHAUSTED', 'RETRYING', 'PENDING', 'CANCELED', 'DELIVERED'] as const;

/** What became of a run: of what it sent, once it has sent something. */
export function outcomeOf({ status, deliveries }: WorkflowRun): string {
  if (status !== 'SENT') return status;
  return worstFirst.find((one) => deliveries.some((delivery) => delivery.status === one)) ?? status;
}
