import type { ResourceScan } from '@store-service/sdk';
import type { Color } from '../output/output.js';

const colors: Record<ResourceScan['status'], Color | undefined> = {
  STARTING: undefined,
  RUNNING: 'cyan',
  FINISHED: 'green',
  FAILED: 'red',
  CANCELED: 'yellow',
};

export function scanColor({ status }: Pick<ResourceScan, 'status'>): Color | undefined {
  return colors[status];
}

/** The progress, rounded down: 100 % means done. */
export function percentOf({ progressRatio }: Pick<ResourceScan, 'progressRatio'>): string {
  return `${Math.floor(progressRatio * 100)} %`;
}

export function hasEnded({ status }: Pick<ResourceScan, 'status'>): boolean {
  return status === 'FINISHED' || status === 'FAILED' || status === 'CANCELED';
}
