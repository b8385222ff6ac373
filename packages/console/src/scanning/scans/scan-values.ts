import type { ResourceScan } from '@store-service/sdk';

export const scanStatuses = ['STARTING', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELED'] as const;

/** The interval at which a running scan is polled. */
export const runningBeatMs = 3_000;

export const isRunning = ({ status }: Pick<ResourceScan, 'status'>): boolean =>
  status === 'STARTING' || status === 'RUNNING';
