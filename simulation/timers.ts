import { AsyncResource } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import nodeTimers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import type { SimulatedClock } from './clock.js';
import { type Life, whereabouts } from './whereabouts.js';

/** A timer that a node has set: it is over when the clock was turned so far. */
class SimulatedTimer {
  constructor(
    private readonly timers: SimulatedTimers,
    readonly life: Life,
    readonly call: () => void,
    readonly milliseconds: number,
    readonly isRepeated: boolean,
  ) {}

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    this.timers.plan(this);
    return this;
  }

  close(): this {
    this.timers.cancel(this);
    return this;
  }
}

type Timed = (...values: unknown[]) => unknown;
interface SleepOptions {
  signal?: AbortSignal;
}

class Aborted extends Error {
  override readonly name = 'AbortError';
  readonly code = 'ABORT_ERR';

  constructor({ reason }: AbortSignal) {
    super('The operation was aborted', { cause: reason });
  }
}

/**
 * The timers of nodes go by the simulated clock: those of `setTimeout`, `setInterval` and `node:timers/promises` in the context
 * of a life. All others, the simulator's own among them, go by the real one.
 */
export class SimulatedTimers {
  private readonly planned = new Map<SimulatedTimer, number>();

  constructor(private readonly clock: SimulatedClock) {}

  /** Puts them in the place of Node's. */
  install(): void {
    const { setTimeout: timeout, setInterval: interval, clearTimeout: clear } = globalThis;
    const set = (really: Timed, isRepeated: boolean) =>
      ((call: Timed, milliseconds: unknown, ...values: unknown[]) => {
        const life = whereabouts.getStore()?.life;
        if (!life || life.isStopping) return really(call, milliseconds, ...values);
        return this.add(life, () => call(...values), Number(milliseconds), isRepeated);
      }) as Timed;
    const clearAny = (timer: unknown): void => {
      if (timer instanceof SimulatedTimer) this.cancel(timer);
      else clear(timer as NodeJS.Timeout);
    };
    const reallySleep = timersPromises.setTimeout as Timed;
    const sleep = (milliseconds?: number, value?: unknown, options: SleepOptions = {}): unknown => {
      const life = whereabouts.getStore()?.life;
      if (!life || life.isStopping) return reallySleep(milliseconds, value, options);
      return this.sleep(life, Number(milliseconds), value, options.signal);
    };
    const parts = {
      setTimeout: Object.assign(set(timeout as Timed, false), { [promisify.custom]: sleep }),
      setInterval: set(interval as Timed, true),
      clearTimeout: clearAny,
      clearInterval: clearAny,
    };
    Object.assign(globalThis, parts);
    Object.assign(nodeTimers, parts);
    Object.assign(timersPromises, { setTimeout: sleep });
    syncBuiltinESMExports();
  }

  /** In how many milliseconds the next one is over, zero or less where it is already; undefined where there is none. */
  get dueIn(): number | undefined {
    const next = this.next();
    return next && next.due - this.clock.elapsed;
  }

  /** Calls the next one, as if it were over. */
  fire(): void {
    const timer = this.next()?.timer;
    if (!timer) return;
    this.planned.delete(timer);
    if (timer.isRepeated) this.plan(timer);
    timer.call();
  }

  plan(timer: SimulatedTimer): void {
    this.planned.delete(timer);
    this.planned.set(timer, this.clock.elapsed + timer.milliseconds);
  }

  cancel(timer: SimulatedTimer): void {
    this.planned.delete(timer);
  }

  private add(life: Life, call: () => void, milliseconds: number, isRepeated: boolean): SimulatedTimer {
    const whole = milliseconds >= 1 && milliseconds < 2 ** 31 ? Math.ceil(milliseconds) : 1;
    const timer = new SimulatedTimer(this, life, AsyncResource.bind(call), whole, isRepeated);
    this.plan(timer);
    return timer;
  }

  private sleep(life: Life, milliseconds: number, value: unknown, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new Aborted(signal));
      const abort = (): void => {
        this.cancel(timer);
        reject(new Aborted(signal as AbortSignal));
      };
      const end = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      };
      const timer = this.add(life, end, milliseconds, false);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** The one that is over first; those of nodes that have ended never are. */
  private next(): { timer: SimulatedTimer; due: number } | undefined {
    let first: { timer: SimulatedTimer; due: number } | undefined;
    for (const [timer, due] of this.planned) {
      if (timer.life.hasEnded) this.planned.delete(timer);
      else if (!first || due < first.due) first = { timer, due };
    }
    return first;
  }
}
