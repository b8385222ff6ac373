import { hash } from 'node:crypto';
import { ChangedMeanwhile } from '../errors/kinds.js';

/** A strong entity tag of the bytes (RFC 9110, section 8.8.3). */
export function etagOf(body: Buffer | string): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/** The version of a thing: the entity tag of the JSON in which it is read, the same from every route that returns it. */
export function versionOf(thing: object): string {
  return etagOf(JSON.stringify(thing));
}

/** Whether a value of `If-Match` names the version, strongly compared (RFC 9110, section 13.1.1). */
export function isMatch(ifMatch: string, version: string): boolean {
  return ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === version);
}

/**
 * Throws `ChangedMeanwhile` where the caller sent `If-Match` and the thing has another version. The thing must be locked
 * until it is written: of two who read the same version, the second one then finds what the first one wrote.
 */
export function assertUnchanged(ifMatch: string | null, thing: object): void {
  if (ifMatch === null || isMatch(ifMatch, versionOf(thing))) return;
  throw new ChangedMeanwhile();
}
