import type { Pool } from 'pg';

const RealDate = Date;
/** Milliseconds of the real clock, which the simulator itself goes by. */
export const realNow: () => number = performance.now.bind(performance);
/** The functions of `src/test-mode` that tell the time in the database. */
const timeFunctions = {
  now: 'STABLE',
  transaction_timestamp: 'STABLE',
  statement_timestamp: 'STABLE',
  clock_timestamp: 'VOLATILE',
};

/** When each run begins. */
const beginning = RealDate.UTC(2027, 5, 1, 6);

/**
 * The time of a run, the same in the process and in the database: it stands still until it is turned. `performance.now` goes
 * by it too, and so do the timers of nodes (`timers.ts`).
 */
export class SimulatedClock {
  private milliseconds = beginning;
  private passed = 0;

  /** Milliseconds that have passed since the process began, whatever the hands of the clock said. */
  get elapsed(): number {
    return this.passed;
  }

  get now(): Date {
    return new RealDate(this.milliseconds);
  }

  get ms(): number {
    return this.milliseconds;
  }

  /** Puts the clock in the place of `Date` and `performance.now` in this process. */
  install(): void {
    const now = (): number => this.milliseconds;
    globalThis.Date = new Proxy(RealDate, {
      get: (date, name) => (name === 'now' ? now : (Reflect.get(date, name) as unknown)),
      apply: (date) => new date(now()).toString(),
      construct: (date, values, target) =>
        Reflect.construct(date, values.length === 0 ? [now()] : values, target) as Date,
    });
    // How busy the process is must not be seen either: mails wait the longer for it.
    const eventLoopUtilization = () => ({ idle: 0, active: 0, utilization: 0 });
    for (const [name, value] of Object.entries({ now: () => this.passed, eventLoopUtilization }))
      Object.defineProperty(performance, name, { value, configurable: true });
  }

  /** Back to the beginning, for the next run. */
  reset(): void {
    this.milliseconds = beginning;
  }

  /** Makes a database with the schema of test mode tell this time. */
  async rule(database: Pool): Promise<void> {
    await database.query('ALTER TABLE test_mode.clock ADD COLUMN instant timestamptz');
    for (const [name, kind] of Object.entries(timeFunctions)) {
      await database.query(
        `CREATE OR REPLACE FUNCTION test_mode.${name}() RETURNS timestamptz LANGUAGE sql ${kind} PARALLEL SAFE
           AS 'SELECT instant FROM test_mode.clock'`,
      );
    }
    await this.tell(database);
  }

  /** Lets so many milliseconds pass. */
  async advance(milliseconds: number, database: Pool): Promise<void> {
    this.passed += Math.round(milliseconds);
    await this.jump(milliseconds, database);
  }

  /** Puts the hands on by so many milliseconds, or back where that is negative; no time passes, so no timer is over. */
  async jump(milliseconds: number, database: Pool): Promise<void> {
    this.milliseconds += Math.round(milliseconds);
    await this.tell(database);
  }

  private async tell(database: Pool): Promise<void> {
    await database.query('UPDATE test_mode.clock SET instant = $1', [this.now]);
  }
}
