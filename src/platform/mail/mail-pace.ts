import { setTimeout as sleep } from 'node:timers/promises';

/** How long a mail waits where requests take all of the process's time. */
const longestMs = 400;
/** The time over which the process's use is measured. */
const measuredMs = 100;

/** Lets requests go first: a mail costs more than the order that it confirms. */
export class MailPace {
  private reading = performance.eventLoopUtilization();
  private readAt = performance.now();
  private busy = 0;

  /** Waits the shorter, the less this process has to do. */
  async keep(): Promise<void> {
    const now = performance.now();
    if (now - this.readAt >= measuredMs) {
      const reading = performance.eventLoopUtilization();
      this.busy = performance.eventLoopUtilization(reading, this.reading).utilization;
      [this.reading, this.readAt] = [reading, now];
    }
    await sleep(longestMs * this.busy);
  }
}
