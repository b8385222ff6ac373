import { onClientDisconnect } from './client-disconnect.js';

/** Thrown if too many already wait, the wait took too long, or the caller is gone; the work has not begun. */
export class NotAdmitted extends Error {
  constructor(
    readonly why: 'full' | 'full-for-key' | 'waited' | 'abandoned',
    /** Whether the key itself is at its limit, rather than all keys together. */
    readonly keyAtLimit = why === 'full-for-key',
  ) {
    super(`The work was not begun: ${why}`);
    this.name = 'NotAdmitted';
  }
}

/** The most work that runs and waits. */
export interface FairBounds {
  atOnce: number;
  /** The part of these for one key. */
  atOncePerKey?: number;
  /** The most that wait in one line; beyond, a newcomer replaces the last one of the key that has most waiting. */
  waiting: number;
  /** The part of these for one key. */
  waitingPerKey?: number;
  /** The longest wait. */
  waitMs: number;
}

/** The owner of the work: line 0 is served before line 1, and so on; the keys within a line alternate. */
export interface Place {
  line?: number;
  /** Undefined for work without a bound of its own, which counts as one key. */
  key?: string | undefined;
  /** Whether the work is for its caller alone: it leaves the line when the caller hangs up. */
  isForCaller?: boolean;
  /** The error to throw instead of `NotAdmitted`. */
  refusal?: (reason: NotAdmitted) => Error;
}

interface Waiter {
  admit: () => void;
  refuse: () => void;
}

/** The waiters of one line, first come first served within a key; the key served longest ago comes first. */
class Line {
  size = 0;
  private readonly byKey = new Map<string | undefined, Waiter[]>();

  waitingFor(key: string | undefined): number {
    return this.byKey.get(key)?.length ?? 0;
  }

  add(key: string | undefined, waiter: Waiter): void {
    const waiters = this.byKey.get(key);
    if (waiters) waiters.push(waiter);
    else this.byKey.set(key, [waiter]);
    this.size++;
  }

  /** The number waiting for the key that has most. */
  most(): number {
    return Math.max(0, ...Array.from(this.byKey.values(), ({ length }) => length));
  }

  /** Removes the newest waiter of the key that has most waiting. */
  dropLastOfMost(): void {
    const most = this.most();
    for (const [key, waiters] of this.byKey) {
      const last = waiters.at(-1);
      if (!last || waiters.length < most) continue;
      this.remove(key, last);
      return last.refuse();
    }
  }

  remove(key: string | undefined, waiter: Waiter): boolean {
    const waiters = this.byKey.get(key) ?? [];
    const index = waiters.indexOf(waiter);
    if (index < 0) return false;
    waiters.splice(index, 1);
    if (waiters.length === 0) this.byKey.delete(key);
    this.size--;
    return true;
  }

  /** Takes out the next one whose key may run. */
  next(mayRun: (key: string | undefined) => boolean): Waiter | undefined {
    for (const [key, waiters] of this.byKey) {
      const [first] = waiters;
      if (!first || !mayRun(key)) continue;
      this.remove(key, first);
      if (this.byKey.delete(key)) this.byKey.set(key, waiters); // to the end: the other keys come first now
      return first;
    }
    return undefined;
  }
}

/**
 * Runs a few at once while the others wait in lines. The first line that is not empty is served first; within a line
 * the keys (addresses, organizations) alternate, so that a key with much work neither delays the others by more than
 * one run nor fills the line.
 */
export class FairSemaphore {
  private running = 0;
  private readonly runningByKey = new Map<string, number>();
  private readonly lines: readonly Line[];

  constructor(
    private readonly bounds: FairBounds,
    lines = 1,
  ) {
    this.lines = Array.from({ length: lines }, () => new Line());
  }

  /**
   * Runs `work` once it is admitted and returns its result; throws `NotAdmitted`, or the refusal, without having begun
   * it.
   */
  async run<T>(work: () => Promise<T>, { line = 0, key, isForCaller = false, refusal }: Place = {}): Promise<T> {
    if (this.mayRun(key)) this.begin(key);
    else {
      try {
        await this.wait(this.lineAt(line), key, isForCaller);
      } catch (error) {
        throw error instanceof NotAdmitted && refusal ? refusal(error) : error;
      }
    }
    try {
      return await work();
    } finally {
      this.end(key);
    }
  }

  private lineAt(index: number): Line {
    const line = this.lines[index];
    if (!line) throw new RangeError(`There is no line ${index}`);
    return line;
  }

  private mayRun(key: string | undefined): boolean {
    return this.running < this.bounds.atOnce && !this.isAtLimit(key);
  }

  private isAtLimit(key: string | undefined): boolean {
    const { atOnce, atOncePerKey = atOnce } = this.bounds;
    return key !== undefined && (this.runningByKey.get(key) ?? 0) >= atOncePerKey;
  }

  private begin(key: string | undefined): void {
    this.running++;
    if (key !== undefined) this.runningByKey.set(key, (this.runningByKey.get(key) ?? 0) + 1);
  }

  private end(key: string | undefined): void {
    this.running--;
    if (key !== undefined) {
      const left = (this.runningByKey.get(key) ?? 1) - 1;
      if (left > 0) this.runningByKey.set(key, left);
      else this.runningByKey.delete(key);
    }
    this.admitNext();
  }

  private admitNext(): void {
    for (const line of this.lines) {
      const next = line.next((key) => this.mayRun(key));
      if (next) return next.admit();
    }
  }

  /** Resolves once admitted; the work then counts as running. */
  private wait(line: Line, key: string | undefined, isForCaller: boolean): Promise<void> {
    const { waiting, waitingPerKey = waiting, waitMs } = this.bounds;
    const mine = line.waitingFor(key);
    if (key !== undefined && mine >= waitingPerKey) throw new NotAdmitted('full-for-key');
    if (line.size >= waiting) {
      // Only where that makes the shares more even: two keys with equal shares would keep replacing each other.
      if (mine + 1 >= line.most()) throw new NotAdmitted('full', this.isAtLimit(key));
      line.dropLastOfMost();
    }
    return new Promise((resolve, reject) => {
      const refuse = (why: NotAdmitted['why']): void => {
        stop();
        reject(new NotAdmitted(why, this.isAtLimit(key)));
      };
      const waiter: Waiter = {
        admit: () => {
          stop();
          this.begin(key);
          resolve();
        },
        refuse: () => refuse('full'),
      };
      const leave = (why: NotAdmitted['why']): void => {
        if (line.remove(key, waiter)) refuse(why);
      };
      const timer = setTimeout(() => leave('waited'), waitMs);
      const forget = isForCaller ? onClientDisconnect(() => leave('abandoned')) : undefined;
      const stop = (): void => {
        clearTimeout(timer);
        forget?.();
      };
      line.add(key, waiter);
    });
  }
}
