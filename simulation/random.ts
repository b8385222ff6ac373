import { createHash } from 'node:crypto';

/**
 * The only source of chance of a run: sfc32, whose state comes from a text by SHA-256. Streams that are split off by a name
 * depend on the seed and the name alone, so that one client's choices do not change when another makes more of them.
 */
export class Random {
  private readonly state: Uint32Array;

  constructor(private readonly name: string) {
    const digest = createHash('sha256').update(name).digest();
    this.state = new Uint32Array([0, 4, 8, 12].map((at) => digest.readUInt32LE(at)));
  }

  /** A stream of its own, always the same for the same name. */
  split(name: string): Random {
    return new Random(`${this.name}/${name}`);
  }

  /** At least 0, and less than 1. */
  next(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.state;
    const sum = (((a + b) >>> 0) + d) >>> 0;
    this.state[3] = d + 1;
    this.state[0] = b ^ (b >>> 9);
    this.state[1] = c + (c << 3);
    this.state[2] = ((c << 21) | (c >>> 11)) + sum;
    return sum / 2 ** 32;
  }

  /** Whether something of this probability happens. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from `from` up to `to`. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** One of some. */
  pick<T>(some: readonly T[]): T {
    if (some.length === 0) throw new Error('There is nothing to pick from');
    return some[Math.floor(this.next() * some.length)] as T;
  }

  /** One by weight. */
  weighted<T>(some: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.next() * some.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of some) if ((left -= weight) < 0) return value;
    return this.pick(some)[1];
  }

  /** A wait whose mean is `mean`, as between calls that know nothing of each other. */
  wait(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }

  /** Bytes as hexadecimal digits. */
  hex(bytes: number): string {
    return Array.from({ length: bytes }, () => this.between(0, 255).toString(16).padStart(2, '0')).join('');
  }

  /** A UUID, version 4. */
  uuid(): string {
    const digits = this.hex(16);
    const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, `a${digits.slice(17, 20)}`];
    return [...parts, digits.slice(20)].join('-');
  }
}
