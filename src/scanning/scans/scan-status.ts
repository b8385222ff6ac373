import type { ScanStatus } from '../vocabulary.js';

const next: Record<ScanStatus, readonly ScanStatus[]> = {
  STARTING: ['RUNNING', 'FAILED', 'CANCELED'],
  RUNNING: ['FINISHED', 'FAILED', 'CANCELED'],
  FINISHED: [],
  FAILED: [],
  CANCELED: [],
};

/** Whether a scan has ended: its status is final. */
export function isFinal(status: ScanStatus): boolean {
  return next[status].length === 0;
}

/** Whether a scan may go from one status to another. */
export function mayBecome(from: ScanStatus, to: ScanStatus): boolean {
  return next[from].includes(to);
}

/** The statuses that a scan may move to, in words. */
export function movesInWords(from: ScanStatus): string {
  return isFinal(from) ? 'that is final' : `from there it can become ${next[from].join(', ')}`;
}
