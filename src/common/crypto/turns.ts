/** Thrown to whoever would have to wait behind too many. */
export class TooManyWaiting extends Error {
  constructor() {
    super('Too many are waiting for their turn');
    this.name = 'TooManyWaiting';
  }
}

/** Lets a few run at once and has the others wait, first come first served; no more than `maxWaiting` of them. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly atOnce: number,
    private readonly maxWaiting: number,
  ) {}

  /** Runs `work` when its turn has come and answers what it returns; throws `TooManyWaiting` without running it. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.atOnce) this.running++;
    else await this.turn();
    try {
      return await work();
    } finally {
      this.pass();
    }
  }

  private turn(): Promise<void> {
    if (this.waiting.length >= this.maxWaiting) throw new TooManyWaiting();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Hands the turn on to the next in line, who keeps the count as it is. */
  private pass(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running--;
  }
}
