import { Logger } from '@nestjs/common';
import { Unavailable } from '../../../platform/errors/errors.js';
import { S3Fault } from '../../../platform/net/s3-bucket.js';

const retryAfterSeconds = 10;
const logger = new Logger('Uploads');

/**
 * Whether the bucket failed, or the system a file (ENOSPC, EMFILE, EIO). A caller that hung up
 * leaves a code too, but not such a fault.
 */
export function isStorageFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof S3Fault) return true;
  const { errno, code = '' } = error as NodeJS.ErrnoException;
  return errno !== undefined && !['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code);
}

/** A full or broken disk, or a bucket that is away, is not the request's fault, and may recover soon: the log names it. */
export function storageUnavailable(what: string, error: unknown, verb: 'stored' | 'read' = 'stored'): Unavailable {
  logger.error(`${what}: ${String(error)}`);
  const sentence = `The picture cannot be ${verb} at the moment: try again later`;
  return new Unavailable(sentence, 'storage_unavailable', retryAfterSeconds);
}
