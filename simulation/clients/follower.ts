import type { Caller } from '../caller.js';
import type { Client } from '../client.js';
import { isLost } from '../history.js';

/** Follows the events of scans as they arrive, page after page, on either node. */
export class Follower implements Client {
  readonly weight = 2;
  private after: string | undefined;

  constructor(readonly caller: Caller) {}

  async act(): Promise<void> {
    for (let pages = 0; pages < 5; pages++) {
      const after = this.after === undefined ? '' : `&after=${encodeURIComponent(this.after)}`;
      const answer = await this.caller.call('GET', `/api/v1/events/arrivals?size=50${after}`);
      if (isLost(answer) || answer.status !== 200) return;
      const { nextCursor, more } = answer.body as { nextCursor: string; more: boolean };
      this.after = nextCursor;
      if (!more) return;
    }
  }
}
