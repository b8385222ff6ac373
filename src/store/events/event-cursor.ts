import { Invalid } from '../../platform/errors/invalid.js';
import { eventDays } from './store-event-types.js';

const form = /^(\d{1,15})_(\d{1,15})$/;
const dayMs = 86_400_000;

function broken(cursor: string, msg: string): Invalid {
  return Invalid.at(['query', 'after'], 'value_error', msg, cursor);
}

/** The position after an event, as a cursor; it names the time of reading, since events stay for so long only. */
export function cursorAt(seq: number): string {
  return Buffer.from(`${seq}_${Date.now()}`).toString('base64url');
}

/**
 * The number after which a reader goes on: 0 without a cursor. Throws `Invalid` for a cursor that is none, that was read so
 * long ago that events after it may be gone, or that is ahead of `last`, as after a restored backup.
 */
export function afterOf(cursor: string | undefined, last: number): number {
  if (cursor === undefined) return 0;
  const [, seq, time] = form.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (seq === undefined) throw broken(cursor, 'Input should be `next` of an earlier response');
  if (Date.now() - Number(time) > eventDays * dayMs) {
    const msg = `Events after this position may be gone, since they are kept for ${eventDays} days: omit after to begin anew`;
    throw broken(cursor, msg);
  }
  if (Number(seq) > last) {
    throw broken(cursor, 'This position is ahead of all events, as after a restored backup: omit after to begin anew');
  }
  return Number(seq);
}
