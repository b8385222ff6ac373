import type { ResourceScan } from '../../../../src/scanning/scans/scans.dto.js';
import type { Colour } from '../output/output.js';
import type { Wire } from '../wire.js';

export type Scan = Wire<ResourceScan>;

const colours: Record<Scan['status'], Colour | undefined> = {
  STARTING: undefined,
  RUNNING: 'cyan',
  FINISHED: 'green',
  FAILED: 'red',
  CANCELED: 'yellow',
};

export function scanColour({ status }: Pick<Scan, 'status'>): Colour | undefined {
  return colours[status];
}

/** The progress, rounded down: 100 % means done. */
export function percentOf({ progressRatio }: Pick<Scan, 'progressRatio'>): string {
  return `${Math.floor(progressRatio * 100)} %`;
}

export function hasEnded({ status }: Pick<Scan, 'status'>): boolean {
  return status === 'FINISHED' || status === 'FAILED' || status === 'CANCELED';
}
