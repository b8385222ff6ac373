import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseLsn, ReplicaPositions } from '../../../src/replicas/replica-positions.js';

let positions: ReplicaPositions;

function sample(lsn: bigint, at = 0, timeline = '00000001'): void {
  positions.ask();
  positions.answered({ lsn, timeline }, at);
}

beforeEach(() => {
  positions = new ReplicaPositions();
});

describe('parseLsn', () => {
  it('reads positions that compare as in PostgreSQL', () => {
    expect(parseLsn('16/B374D848')).toBe(0x16b374d848n);
    expect(parseLsn('A/0') > parseLsn('9/FFFFFFFF')).toBe(true);
  });
});

describe('ReplicaPositions', () => {
  it('allows no reads at a replica before the primary was asked', () => {
    expect(positions.has(1_000n, 'a')).toBe(false);
    sample(5n);
    expect([positions.has(4n, 'a'), positions.has(5n, 'a')]).toEqual([false, true]);
  });

  it('keeps a writer at the primary until the replica has a position from after the write', () => {
    sample(5n);
    positions.wrote('a');
    expect([positions.has(1_000n, 'a'), positions.has(5n, 'b')]).toEqual([false, true]);
    sample(9n);
    expect([positions.has(8n, 'a'), positions.has(9n, 'a'), positions.has(5n, 'b')]).toEqual([false, true, true]);
  });

  it('does not count a sample that was requested before the write', () => {
    sample(5n);
    positions.ask();
    positions.wrote('a');
    positions.answered({ lsn: 9n, timeline: '00000001' }, 0);
    expect(positions.has(1_000n, 'a')).toBe(false);
    sample(12n);
    expect([positions.has(9n, 'a'), positions.has(12n, 'a')]).toEqual([false, true]);
  });

  it('waits for the next sample if one failed', () => {
    sample(5n);
    positions.wrote('a');
    positions.wroteAll();
    positions.ask();
    positions.unanswered();
    expect([positions.has(1_000n, 'a'), positions.has(1_000n, 'b')]).toEqual([false, false]);
    sample(9n);
    expect([positions.has(8n, 'b'), positions.has(9n, 'a'), positions.has(9n, 'b')]).toEqual([false, true, true]);
  });

  it('remembers what it had forgotten when a replica comes back further behind', () => {
    sample(5n);
    positions.wrote('a');
    sample(9n);
    positions.forget(9n);
    expect([positions.has(8n, 'a'), positions.has(9n, 'a')]).toEqual([false, true]);
  });

  it('keeps everybody at the primary rather than remember too many writers', () => {
    sample(5n);
    for (let writer = 0; writer < 50_001; writer++) positions.wrote(`writer ${writer}`);
    expect(positions.has(1_000n, 'a')).toBe(false);
    sample(9n);
    expect([positions.has(8n, 'a'), positions.has(9n, 'a')]).toEqual([false, true]);
    for (let writer = 0; writer < 9; writer++) positions.wrote(`another ${writer}`);
    sample(11n);
    expect([positions.has(10n, 'a'), positions.has(11n, 'a')]).toEqual([false, true]);
  });

  it('says how far at most a replica is behind', () => {
    sample(5n, 1_000);
    sample(9n, 2_000);
    sample(9n, 3_000);
    const lags = [4n, 5n, 8n, 9n, 100n].map((lsn) => positions.lagMs(lsn, 3_500));
    expect(lags).toEqual([Infinity, 2_500, 2_500, 500, 500]);
  });

  it('allows no reads at a replica after a promotion until its position is beyond all known ones of the former log', () => {
    sample(5n, 1_000);
    positions.wrote('a');
    sample(9n, 2_000);
    sample(7n, 3_000, '00000002');
    for (const key of ['a', 'b']) expect([positions.has(8n, key), positions.has(9n, key)]).toEqual([false, true]);
    expect([positions.lagMs(6n, 3_500), positions.lagMs(7n, 3_500)]).toEqual([Infinity, 500]);
    positions.wrote('a');
    sample(12n, 4_000, '00000002');
    expect([positions.has(11n, 'a'), positions.has(12n, 'a'), positions.has(9n, 'b')]).toEqual([false, true, true]);
  });

  it('never shows a writer less than they wrote, in whatever order things happen', () => {
    const step = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('ask', 'answer', 'fail', 'forget'));
    const property = fc.property(fc.array(step, { maxLength: 60 }), fc.nat(80), (steps, replayed) => {
      positions = new ReplicaPositions();
      const written = new Map<string, bigint>();
      let [now, asked]: [bigint, bigint | null] = [1n, null];
      for (const one of steps) {
        now += 1n;
        if (one === 'ask' && asked === null) positions.ask();
        else if (one === 'answer' && asked !== null) positions.answered({ lsn: asked, timeline: '00000001' }, 0);
        else if (one === 'fail' && asked !== null) positions.unanswered();
        else if (one === 'forget') positions.forget(now - 5n);
        else if (one.length === 1) positions.wrote(one);
        if (one.length === 1) written.set(one, now);
        if (one === 'ask') asked ??= now;
        else if (one === 'answer' || one === 'fail') asked = null;
        for (const [key, lsn] of written) {
          if (BigInt(replayed) < lsn) expect(positions.has(BigInt(replayed), key)).toBe(false);
        }
      }
    });
    fc.assert(property, { numRuns: 300 });
  });
});
