/** Shares a budget of bytes: work that needs more than the rest waits for others to end, first come first served. */
export class MemoryBudget {
  private taken = 0;
  private readonly waiting: { bytes: number; begin: () => void }[] = [];

  constructor(private readonly totalBytes: number) {}

  /** Runs `work` once its bytes are available, and returns its result; work that takes the whole budget runs alone. */
  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const share = Math.min(bytes, this.totalBytes);
    if (this.waiting.length === 0 && this.fits(share)) this.taken += share;
    else await new Promise<void>((begin) => this.waiting.push({ bytes: share, begin }));
    try {
      return await work();
    } finally {
      this.taken -= share;
      this.beginNext();
    }
  }

  private fits(bytes: number): boolean {
    return this.taken + bytes <= this.totalBytes;
  }

  /** Strictly in order, even if smaller work would fit, since large work might otherwise never run. */
  private beginNext(): void {
    for (let next = this.waiting[0]; next && this.fits(next.bytes); next = this.waiting[0]) {
      this.waiting.shift();
      this.taken += next.bytes;
      next.begin();
    }
  }
}
