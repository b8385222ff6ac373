/**
 * The service's idea of now, as the global `Date` tells it: shifted, and running on. Timers and `performance.now` stay as
 * they are, so that waits take as long as ever.
 */
export class ServiceClock {
  private readonly real = Date;
  private shiftMs = 0;

  /** The real time in milliseconds. */
  get realNow(): number {
    return this.real.now();
  }

  get shift(): number {
    return this.shiftMs;
  }

  /** Puts the clock in the place of `Date` in this process. */
  install(): void {
    const now = (): number => this.real.now() + this.shiftMs;
    globalThis.Date = new Proxy(this.real, {
      get: (date, name) => (name === 'now' ? now : (Reflect.get(date, name) as unknown)),
      apply: (date) => new date(now()).toString(),
      construct: (date, values, target) =>
        Reflect.construct(date, values.length === 0 ? [now()] : values, target) as Date,
    });
  }

  turn(shiftMs: number): void {
    this.shiftMs = shiftMs;
  }
}

/** The clock of the process. */
export const serviceClock = new ServiceClock();
