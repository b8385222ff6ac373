import type { TaskFigures } from './jobs.statements.js';
import { jobsLog } from './worker-log.js';

/** Jobs are late when one has been due for so long. */
export const lateSeconds = 60;

/** Says in the log when jobs begin to wait, and when they are on time again. */
export class LateJobs {
  private isLate = false;

  look(figures: readonly TaskFigures[]): void {
    const late = figures.filter(({ oldest }) => oldest >= lateSeconds);
    if (late.length > 0 === this.isLate) return;
    this.isLate = late.length > 0;
    if (!this.isLate) return jobsLog.warn('Jobs are on time again');
    const each = late.map(
      ({ task, waiting, oldest }) => `${waiting} of ${task}, the oldest for ${Math.round(oldest)} s`,
    );
    jobsLog.warn(`Jobs wait that are due: ${each.join('; ')}`);
  }
}
