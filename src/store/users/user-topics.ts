import type { Topic } from '../../common/changes/change-bus.js';

/** Which accounts there are. */
export const membership: Topic = 'membership';
/** What others see of accounts, any of them: names and avatars. */
export const faces: Topic = 'faces';

/** What an account may do: its role, whether it is there, which of its tokens hold. */
export function standingOf(userId: string): Topic {
  return `standing:${userId}`;
}
