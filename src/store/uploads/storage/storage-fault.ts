import { Logger } from '@nestjs/common';
import { Unavailable } from '../../../common/errors/kinds.js';

const logger = new Logger('Uploads');

/**
 * Whether the system failed a file (ENOSPC, EMFILE, EIO). A caller that hung up leaves a code too, but no such fault.
 */
export function isStorageFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errno, code = '' } = error as NodeJS.ErrnoException;
  return errno !== undefined && !['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code);
}

/** A full or broken disk is no fault of the request, and may work again soon: the log says what failed. */
export function storageUnavailable(what: string, error: unknown, verb: 'stored' | 'read' = 'stored'): Unavailable {
  logger.error(`${what}: ${String(error)}`);
  return new Unavailable(`The picture cannot be ${verb} at the moment: try again later`, 'storage_unavailable');
}
