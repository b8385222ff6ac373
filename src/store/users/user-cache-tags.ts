import type { CacheTag } from '../../common/changes/change-bus.js';

/** Which accounts there are. */
export const membership: CacheTag = 'membership';
/** What others see of any account: names and avatars. */
export const faces: CacheTag = 'faces';

/** The state of an account: whether it is there, its role, which of its tokens hold. */
export function accountStateOf(userId: string): CacheTag {
  return `account-state:${userId}`;
}
