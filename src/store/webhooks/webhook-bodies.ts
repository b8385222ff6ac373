import { Readable } from 'node:stream';
import type { BodySource } from '../../platform/net/redirects.js';
import { type EventRow, toStoreEvent } from '../events/store-event-body.js';

/** On whose behalf the shop's events are sent. */
export const shopSender = 'shop';

/**
 * The bytes that every attempt of a delivery sends. An event never changes, so they stay the same; only what is personal goes
 * where the account is deleted meanwhile.
 */
export function bytesOf(event: EventRow, reader: { seesCustomers: boolean }): Buffer {
  return Buffer.from(JSON.stringify(toStoreEvent(event, reader)));
}

export function bodyOf(bytes: Buffer): BodySource {
  return { length: bytes.length, open: () => Readable.from([bytes]) };
}
