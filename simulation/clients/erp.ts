import type { Caller } from '../caller.js';
import type { Client } from '../client.js';
import { isLost } from '../history.js';

/** Follows the events of the shop by a key, page after page. */
export class Erp implements Client {
  readonly weight = 2;
  private after: string | undefined;

  constructor(readonly caller: Caller) {}

  async act(): Promise<void> {
    for (let pages = 0; pages < 5; pages++) {
      const after = this.after === undefined ? '' : `&after=${encodeURIComponent(this.after)}`;
      const answer = await this.caller.call('GET', `/api/v1/admin/events?limit=50${after}`);
      if (isLost(answer) || answer.status !== 200) return;
      const { next, more } = answer.body as { next: string; more: boolean };
      this.after = next;
      if (!more) return;
    }
  }
}
