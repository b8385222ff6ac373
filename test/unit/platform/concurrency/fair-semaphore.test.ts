import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { forClient } from '../../../../src/platform/concurrency/client-disconnect.js';
import { type FairBounds, FairSemaphore, NotAdmitted } from '../../../../src/platform/concurrency/fair-semaphore.js';
import { Deferred } from '../../../support/deferred.js';

const bounds: FairBounds = { atOnce: 1, waiting: 100, waitMs: 60_000 };

/** Work that ends when the test says so, with the order in which it began. */
class Works {
  readonly begun: string[] = [];
  private readonly ends: (() => void)[] = [];

  readonly make = (name: string) => (): Promise<string> => {
    this.begun.push(name);
    const end = new Deferred<string>();
    this.ends.push(() => end.resolve(name));
    return end.promise;
  };

  /** Ends the oldest work that is still running, and lets what waited for it begin. */
  async endOne(): Promise<boolean> {
    const end = this.ends.shift();
    end?.();
    await settled();
    return end !== undefined;
  }

  async endAll(): Promise<void> {
    while (await this.endOne());
  }
}

async function settled(): Promise<void> {
  for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve));
}

describe('FairSemaphore', () => {
  it('runs first come, first served within a key', async () => {
    const [semaphore, works] = [new FairSemaphore(bounds), new Works()];
    const all = ['1', '2', '3', '4'].map((name) => semaphore.run(works.make(name)));
    await works.endAll();
    expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
    expect(works.begun).toEqual(['1', '2', '3', '4']);
  });

  it('serves the first line before the others, behind nothing but what already runs', async () => {
    const [semaphore, works] = [new FairSemaphore(bounds, 2), new Works()];
    const later = Array.from({ length: 100 }, (_, index) => semaphore.run(works.make(`later ${index}`), { line: 1 }));
    const first = semaphore.run(works.make('first'));
    await works.endOne();
    expect(works.begun).toEqual(['later 0', 'first']);
    await works.endAll();
    await Promise.all([first, ...later]);
  });

  it('alternates between the keys of a line', async () => {
    const [semaphore, works] = [new FairSemaphore(bounds), new Works()];
    const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
    const all = names.map((name) => semaphore.run(works.make(name), { key: name[0] }));
    await works.endAll();
    await Promise.all(all);
    expect(works.begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('runs no more for one key than its limit, and others beside it', async () => {
    const semaphore = new FairSemaphore({ ...bounds, atOnce: 3, atOncePerKey: 2 });
    const works = new Works();
    const all = ['a1', 'a2', 'a3', 'b1', 'a4'].map((name) => semaphore.run(works.make(name), { key: name[0] }));
    expect(works.begun).toEqual(['a1', 'a2', 'b1']);
    await works.endOne();
    expect(works.begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    await works.endAll();
    await Promise.all(all);
  });

  it('refuses work when too much is waiting in all or for its key', async () => {
    const semaphore = new FairSemaphore({ ...bounds, waiting: 3, waitingPerKey: 2 });
    const works = new Works();
    const whyNot = async (key: string) => {
      const outcome = semaphore.run(works.make(key), { key }).then(() => 'run');
      return Promise.race([outcome, settled().then(() => 'waits')]).catch((error: unknown) =>
        error instanceof NotAdmitted ? error.why : error,
      );
    };
    expect(await Promise.all(['a', 'a', 'a'].map(whyNot))).toEqual(['waits', 'waits', 'waits']);
    expect(await whyNot('a')).toBe('full-for-key');
    expect(await whyNot('b')).toBe('waits');
    await works.endAll();
    expect(works.begun).toHaveLength(4);
  });

  it('throws the refusal of work that it does not admit, and whatever admitted work throws', async () => {
    const semaphore = new FairSemaphore({ ...bounds, waiting: 0 });
    const refusal = ({ why }: NotAdmitted): Error => new Error(`Not now: ${why}`);
    const first = new Deferred<string>();
    const running = semaphore.run(() => first.promise, { refusal });
    await expect(semaphore.run(() => Promise.resolve('next'), { refusal })).rejects.toThrow('Not now: full');
    first.reject(new NotAdmitted('waited'));
    await expect(running).rejects.toThrow(NotAdmitted);
  });

  it('refuses the last one of the key with most waiting, in favour of a key with at least two fewer', async () => {
    const semaphore = new FairSemaphore({ ...bounds, waiting: 4 });
    const works = new Works();
    const refused: string[] = [];
    const run = (name: string): Promise<void> =>
      semaphore.run(works.make(name), { key: name[0] }).then(
        () => undefined,
        (error: unknown) => {
          expect(error).toMatchObject({ name: 'NotAdmitted', why: 'full' });
          refused.push(name);
        },
      );
    const names = ['x0', 'a1', 'a2', 'a3', 'b1', 'c1', 'b2', 'd1', 'a4', 'e1'];
    const all = names.map(run);
    await settled();
    expect(refused.sort()).toEqual(['a2', 'a3', 'a4', 'b2', 'e1']);
    await works.endAll();
    await Promise.all(all);
    expect(works.begun).toEqual(['x0', 'a1', 'b1', 'c1', 'd1']);
  });

  it('keeps a full line full, and refuses no key that has two fewer waiting than another', async () => {
    const comers = fc.array(fc.constantFrom('a', 'a', 'a', 'b', 'b', 'c', 'd', undefined), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(comers, fc.nat(8), async (keys, waiting) => {
        const semaphore = new FairSemaphore({ ...bounds, waiting });
        const works = new Works();
        const all: Promise<unknown>[] = [semaphore.run(works.make('first'), { key: 'first' })];
        const refused: (string | undefined)[] = [];
        const inLine = new Map<string | undefined, number>();
        const add = (key: string | undefined, by: number) => inLine.set(key, (inLine.get(key) ?? 0) + by);
        for (const [index, key] of keys.entries()) {
          add(key, 1);
          const refuse = () => {
            add(key, -1);
            refused.push(key);
          };
          all.push(semaphore.run(works.make('work'), { key }).catch(refuse));
          await settled();
          const lengths = [...inLine.values()];
          expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(Math.min(index + 1, waiting));
          for (const one of refused.splice(0))
            expect((inLine.get(one) ?? 0) + 1).toBeGreaterThanOrEqual(Math.max(...lengths));
        }
        await works.endAll();
        await Promise.all(all);
        expect(works.begun).toHaveLength(1 + Math.min(keys.length, waiting));
      }),
      { numRuns: 40 },
    );
  });

  it('lets nothing wait for ever, and forgets keys that are done', async () => {
    const semaphore = new FairSemaphore({ ...bounds, waitMs: 5 });
    const works = new Works();
    const running = semaphore.run(works.make('runs'));
    await expect(semaphore.run(works.make('waits'))).rejects.toMatchObject({ why: 'waited' });
    await works.endAll();
    await running;
    expect(works.begun).toEqual(['runs']);
    const next = semaphore.run(works.make('next'));
    await works.endAll();
    expect(await next).toBe('next');
  });

  it('continues after work that fails', async () => {
    const semaphore = new FairSemaphore(bounds);
    const failing = semaphore.run(() => Promise.reject(new Error('broken')));
    const next = semaphore.run(async () => 'next');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });

  it('keeps its bounds and begins everything, in whatever order work comes and ends', async () => {
    const place = fc.record({ line: fc.nat(2), key: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }) });
    const steps = fc.array(fc.oneof(place, fc.constant('end' as const)), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (all, most, each) => {
          const semaphore = new FairSemaphore({ ...bounds, atOnce: most, atOncePerKey: each }, 3);
          const [works, running] = [new Works(), new Map<string, number>()];
          const count = (key: string, by: number): number => {
            running.set(key, (running.get(key) ?? 0) + by);
            return running.get(key) ?? 0;
          };
          const outcomes: Promise<void>[] = [];
          for (const step of all) {
            if (step === 'end') await works.endOne();
            else {
              const work = async (): Promise<void> => {
                expect(count('all', 1)).toBeLessThanOrEqual(most);
                if (step.key !== undefined) expect(count(step.key, 1)).toBeLessThanOrEqual(each);
                await works.make('work')();
                count('all', -1);
                if (step.key !== undefined) count(step.key, -1);
              };
              outcomes.push(semaphore.run(work, step));
            }
          }
          await works.endAll();
          await Promise.all(outcomes);
          expect(works.begun).toHaveLength(outcomes.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('drops what waits for a caller who hung up, and keeps what others want too', async () => {
    const [semaphore, works] = [new FairSemaphore(bounds), new Works()];
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const run = (name: string, isForCaller: boolean) =>
      forClient(response, () => semaphore.run(works.make(name), { isForCaller }));
    const [running, shared] = [run('running', true), run('shared', false)];
    const own = run('own', true);
    response.destroy().emit('close'); // as Node.js does when a connection closes
    await expect(own).rejects.toMatchObject({ why: 'abandoned' });
    await expect(run('later', true)).rejects.toMatchObject({ why: 'abandoned' });
    await works.endAll();
    await Promise.all([running, shared]);
    expect(works.begun).toEqual(['running', 'shared']);
  });
});
