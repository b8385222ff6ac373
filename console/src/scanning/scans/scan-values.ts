import type { ResourceScan } from '@store-service/sdk';

export const scanStatuses = ['STARTING', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELED'] as const;

/** How often a running scan is asked after. */
export const runningBeatMs = 3_000;

export const isRunning = ({ status }: Pick<ResourceScan, 'status'>): boolean =>
  status === 'STARTING' || status === 'RUNNING';
