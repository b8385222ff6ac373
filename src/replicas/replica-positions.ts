/** A position in PostgreSQL's log. */
export type Lsn = bigint;

/** The position that PostgreSQL writes as `16/B374D848`. */
export function parseLsn(text: string): Lsn {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Where the primary is, and by which timeline. */
export interface Position {
  lsn: Lsn;
  timeline: string;
}

const mostKeys = 50_000;
const mostSamples = 512;

/** Where the primary was when. */
interface Sample {
  at: number;
  lsn: Lsn;
}

/**
 * Remembers who wrote, until the position of the primary after it is known, and that position until all replicas have it.
 * A writer belongs to the next sample: one that was asked for earlier may be older than the write.
 */
export class ReplicaPositions {
  private writing = new Set<string>();
  private asked = new Set<string>();
  private readonly reached = new Map<string, Lsn>();
  /** Everybody has written up to here, as far as is known. */
  private everyone: Lsn | 'writing' | 'asked' = 'writing';
  /** What was forgotten was written up to here: a replica that comes back with less may lack some of it. */
  private forgotten: Lsn = 0n;
  private samples: Sample[] = [];
  private timeline: string | undefined;

  wrote(key: string): void {
    if (this.writing.size < mostKeys) this.writing.add(key);
    else this.wroteAll();
  }

  /** Anybody may have written. */
  wroteAll(): void {
    this.everyone = 'writing';
  }

  /** Begins a sample. Only one is under way at a time. */
  ask(): void {
    [this.asked, this.writing] = [this.writing, new Set()];
    if (this.everyone === 'writing') this.everyone = 'asked';
  }

  /** Ends a sample, which was asked for at a time. */
  answered({ lsn, timeline }: Position, at: number): void {
    if (this.timeline !== undefined && timeline !== this.timeline) this.leave();
    this.timeline = timeline;
    for (const key of this.asked) this.reached.set(key, lsn);
    this.asked.clear();
    if (this.everyone === 'asked') this.everyone = lsn;
    this.samples.push({ at, lsn });
    if (this.samples.length > mostSamples) this.samples.shift();
    if (this.reached.size <= mostKeys) return;
    this.reached.clear();
    if (typeof this.everyone === 'bigint') this.everyone = lsn;
  }

  /**
   * Another primary was promoted: positions of the former one mean nothing in its log, beyond which a replica has to be,
   * as far as it is known, to follow the new one for sure.
   */
  private leave(): void {
    const last = this.samples.at(-1)?.lsn ?? 0n;
    if (last > this.forgotten) this.forgotten = last;
    this.samples = [];
    this.reached.clear();
    if (this.everyone !== 'writing') this.everyone = 'asked';
  }

  /** Ends a sample that failed. */
  unanswered(): void {
    for (const key of this.asked) this.wrote(key);
    this.asked.clear();
    if (this.everyone === 'asked') this.everyone = 'writing';
  }

  /** Forgets those with whom all replicas in use have caught up, which replayed at least that. */
  forget(least: Lsn): void {
    for (const [key, lsn] of this.reached) {
      if (lsn > least) continue;
      this.reached.delete(key);
      if (lsn > this.forgotten) this.forgotten = lsn;
    }
  }

  /** Whether a replica that replayed up to there has all that the key wrote. */
  has(replayed: Lsn, key: string): boolean {
    if (typeof this.everyone !== 'bigint' || this.everyone > replayed || this.forgotten > replayed) return false;
    return !this.writing.has(key) && !this.asked.has(key) && (this.reached.get(key) ?? 0n) <= replayed;
  }

  /** For how many milliseconds at most a replica that replayed up to there has been behind. */
  lagMs(replayed: Lsn, now: number): number {
    const newest = this.samples.findLast(({ lsn }) => lsn <= replayed);
    return newest === undefined ? Infinity : now - newest.at;
  }
}
