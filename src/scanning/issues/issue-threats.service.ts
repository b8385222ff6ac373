import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { IssueThreatsRepository } from './issue-threats.repository.js';

const leastId = '00000000-0000-0000-0000-000000000000';
const mostWalks = 5;
const waitMs = 2_000;

/** Keeps what threat feeds say of issues; new identifiers are rated by the database as they come. */
@Injectable()
export class IssueThreatsService {
  constructor(private readonly repository: IssueThreatsRepository) {}

  /** Rates all issues by the feeds as they are now; walks again for those that were in use. */
  async rateAll(signal?: AbortSignal): Promise<void> {
    for (let walk = 0; walk < mostWalks; walk++) {
      if ((await this.walk(signal)) === 0) return;
      await sleep(waitMs, undefined, signal ? { signal } : {});
    }
  }

  private async walk(signal?: AbortSignal): Promise<number> {
    let left = 0;
    for (let last: string | null = leastId; last !== null;) {
      signal?.throwIfAborted();
      const next: { last: string | null; left: number } = await this.repository.rateNext(last);
      left += next.left;
      last = next.last;
    }
    return left;
  }
}
