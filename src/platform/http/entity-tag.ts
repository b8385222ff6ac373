import { hash } from 'node:crypto';
import { ChangedMeanwhile } from '../errors/errors.js';

/** A strong entity tag of the bytes (RFC 9110, section 8.8.3). */
export function etagOf(body: Buffer | string): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/** The version of a resource: the entity tag of its JSON, the same from every route that returns it. */
export function versionOf(thing: object): string {
  return etagOf(JSON.stringify(thing));
}

/** Whether a value of `If-Match` names the version, strongly compared (RFC 9110, section 13.1.1). */
export function isMatch(ifMatch: string, version: string): boolean {
  return ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === version);
}

/**
 * Throws `ChangedMeanwhile` if the caller sent `If-Match` and the resource has another version. Keep the resource
 * locked until it is written: of two callers who read the same version, the second then finds the first one's write.
 */
export function assertUnchanged(ifMatch: string | null, thing: object): void {
  if (ifMatch === null || isMatch(ifMatch, versionOf(thing))) return;
  throw new ChangedMeanwhile();
}
