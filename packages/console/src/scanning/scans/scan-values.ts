import type { ResourceScan } from '@store-service/sdk';

/** The interval at which a running scan is polled. */
export const runningBeatMs = 3_000;

export const isRunning = ({ status }: Pick<ResourceScan, 'status'>): boolean =>
  status === 'STARTING' || status === 'RUNNING';
