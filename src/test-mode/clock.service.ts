import { Injectable } from '@nestjs/common';
import { Invalid } from '../platform/errors/invalid.js';
import { JobRunner } from '../platform/jobs/job-runner.js';
import { millisecondsOf } from './duration.js';
import { ProcessMemory } from './process-memory.js';
import { serviceClock } from './service-clock.js';
import { TestDataRepository } from './test-data.repository.js';
import type { ClockTurn } from './test-mode.dto.js';

/** The furthest from the real time: PostgreSQL's and JavaScript's years. */
const mostMs = 100 * 365 * 86_400_000;

/** Turns the clock of the service and of its database. */
@Injectable()
export class ClockService {
  constructor(
    private readonly repository: TestDataRepository,
    private readonly memory: ProcessMemory,
    private readonly jobs: JobRunner,
  ) {}

  /** Where the clock stands. */
  get state(): { now: Date; shift_seconds: number } {
    return { now: new Date(), shift_seconds: serviceClock.shift / 1_000 };
  }

  /** Turns the clock to `now`, or on by `advance`; without either, to the real time. It runs on from there. */
  async turn({ now, advance }: ClockTurn): Promise<ClockService['state']> {
    if (now !== undefined && advance !== undefined) {
      throw Invalid.at(['body'], 'value_error', 'Send now or advance, not both');
    }
    if (now !== undefined) await this.shiftTo(Date.parse(now) - serviceClock.realNow, 'now');
    else if (advance === undefined) await this.shiftTo(0, 'now');
    else {
      const by = millisecondsOf(advance);
      if (by === null) {
        const takes = 'Send seconds, such as 90, or a duration of ISO 8601, such as P30D or PT1H30M';
        throw Invalid.at(['body', 'advance'], 'value_error', takes, advance);
      }
      await this.shiftTo(serviceClock.shift + by, 'advance');
    }
    return this.state;
  }

  private async shiftTo(milliseconds: number, field: string): Promise<void> {
    const whole = Math.round(milliseconds);
    if (!(Math.abs(whole) <= mostMs)) {
      throw Invalid.at(['body', field], 'value_error', 'The clock turns by a hundred years at most');
    }
    await this.repository.setShift(whole);
    serviceClock.turn(whole);
    await this.repository.planAtLatest(this.jobs.nextTimes);
    this.memory.forget();
  }
}
