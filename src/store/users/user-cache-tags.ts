import type { CacheTag } from '../../platform/changes/change-bus.js';

/** The set of accounts. */
export const membership: CacheTag = 'membership';
/** The public part of any account: names and avatars. */
export const faces: CacheTag = 'faces';

/** The state of an account: its existence, its role, its valid tokens. */
export function accountStateOf(userId: string): CacheTag {
  return `account-state:${userId}`;
}
