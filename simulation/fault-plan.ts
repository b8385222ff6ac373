import type { Random } from './random.js';
import type { Statement } from './statement-door.js';
import type { Befalling } from './turnstile.js';

/** How likely each fault is at a statement. */
const chances: readonly (readonly [chance: number, what: Befalling])[] = [
  [0.004, 'lost-before'],
  [0.004, 'lost-after'],
  [0.002, 'hang-up'],
  [0.0006, 'node-before'],
  [0.0006, 'node-after'],
  [0.002, 'clock'],
];
/** How many times likelier each is at a commit: what is done before it and after it comes apart there. */
const atCommit = 5;

/** Says what befalls which statement. */
export class FaultPlan {
  areOn = false;

  constructor(private readonly random: Random) {}

  befalls({ text }: Statement): Befalling {
    let chance = this.random.next() / (text === 'COMMIT' ? atCommit : 1);
    if (!this.areOn) return 'nothing';
    for (const [share, what] of chances) {
      if (chance < share) return what;
      chance -= share;
    }
    return 'nothing';
  }

  /** By how many milliseconds the clock jumps in the middle of a request. */
  jump(): number {
    return this.random.weighted([
      [5, this.random.between(1, 2_000)],
      [3, this.random.between(2_000, 120_000)],
      [1, this.random.between(120_000, 3_700_000)],
    ]);
  }
}
