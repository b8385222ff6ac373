import type { CacheTag } from '../../common/changes/change-bus.js';

/** Which accounts there are. */
export const membership: CacheTag = 'membership';
/** What others see of accounts, any of them: names and avatars. */
export const faces: CacheTag = 'faces';

/** What an account may do: its role, whether it is there, which of its tokens hold. */
export function accountStateOf(userId: string): CacheTag {
  return `account-state:${userId}`;
}
