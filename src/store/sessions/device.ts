import type { Request } from 'express';
import { sha256 } from '../../platform/crypto/digests.js';
import { limitKeyOf, unknownAddress } from '../../platform/net/caller-address.js';
import { nameOfDevice } from '../../platform/net/device-name.js';

/** The program and address that a session is used from. */
export interface Device {
  /** In words, without a version, which would change: Firefox on Linux. */
  name: string;
  address: string;
}

/** The device of a request. */
export function deviceOf(request: Request): Device {
  return { name: nameOfDevice(request.headers['user-agent']), address: request.ip ?? unknownAddress };
}

/** Identifies a device: its name and its network, an IPv6 subscriber's /64 or an IPv4 address. */
export function deviceDigest(userId: string, { name, address }: Device): string {
  return sha256(`${userId}|${name}|${limitKeyOf(address)}`);
}
