import type { ResourceScan } from '@store-service/sdk';
import type { Colour } from '../output/output.js';

const colours: Record<ResourceScan['status'], Colour | undefined> = {
  STARTING: undefined,
  RUNNING: 'cyan',
  FINISHED: 'green',
  FAILED: 'red',
  CANCELED: 'yellow',
};

export function scanColour({ status }: Pick<ResourceScan, 'status'>): Colour | undefined {
  return colours[status];
}

/** The progress, rounded down: 100 % means done. */
export function percentOf({ progressRatio }: Pick<ResourceScan, 'progressRatio'>): string {
  return `${Math.floor(progressRatio * 100)} %`;
}

export function hasEnded({ status }: Pick<ResourceScan, 'status'>): boolean {
  return status === 'FINISHED' || status === 'FAILED' || status === 'CANCELED';
}
