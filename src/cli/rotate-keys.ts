import type { Secrets } from '../config/secrets.js';
import type { Settings } from '../config/settings.js';
import type { Rotation } from '../platform/key-rotation/key-rotation.js';

const dayMs = 86_400_000;

/** What became of the keys of ENCRYPTION_KEY, in sentences. */
export function encryptionLines({ values, isComplete }: Rotation, { older }: Secrets): string[] {
  const count = older.encryptionKeys.length;
  const names = values
    .filter(({ unopenable }) => unopenable > 0)
    .map(({ name, unopenable }) => `${name} (${unopenable})`);
  const lines = values.map(({ name, replaced }) => `${name}: ${replaced} encrypted anew`);
  if (names.length > 0) {
    return [
      ...lines,
      `Values that no key of ENCRYPTION_KEY opens: ${names.join(', ')}. They are damaged, or another key encrypted ` +
        'them: add that key to the end of the list and run this again',
    ];
  }
  if (!isComplete) {
    return [
      ...lines,
      'A node still encrypts with an older key: set the new key first on every node, start them anew, and run this again',
    ];
  }
  if (count === 0) return [...lines, 'ENCRYPTION_KEY has one key, and everything is encrypted with it'];
  const which = count === 1 ? 'the second key' : `the ${count} keys after the first`;
  return [...lines, `ENCRYPTION_KEY: everything is encrypted with the first key. Remove ${which}, on every node`];
}

/** When the older keys of JWT_SECRET can be removed, in a sentence. */
export function signingLine({ older }: Secrets, settings: Settings, since: Date, now = new Date()): string {
  const count = older.jwtSecrets.length;
  if (count === 0) return 'JWT_SECRET has one key, which signs everything';
  const seconds = Math.max(settings.refreshTokenTtlSeconds, settings.accessTokenTtlSeconds);
  const end = new Date(since.getTime() + seconds * 1_000);
  const which = count === 1 ? 'the second key' : `the ${count} keys after the first`;
  if (end <= now) return `JWT_SECRET: every login has a token of the first key. Remove ${which}, on every node`;
  const day = new Date(Math.ceil(end.getTime() / dayMs) * dayMs).toISOString().slice(0, 10);
  return (
    `JWT_SECRET: the first key signs since ${since.toISOString().slice(0, 10)}. Remove ${which} on ${day} or later, ` +
    'when all sessions that used them are renewed or over; before that, their users have to sign in again'
  );
}
