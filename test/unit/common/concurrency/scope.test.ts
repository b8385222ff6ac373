import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { Scope } from '../../../../src/common/concurrency/scope.js';
import { Deferred } from '../../../support/deferred.js';

/** How often storages were turned off while `work` ran. */
async function timesTurnedOff(work: () => unknown): Promise<number> {
  const disable = jest.spyOn(AsyncLocalStorage.prototype, 'disable');
  try {
    await work();
    return disable.mock.calls.length;
  } finally {
    disable.mockRestore();
  }
}

describe('A scope', () => {
  it('gives its value to what the work calls and awaits, and to nothing else', async () => {
    const scope = new Scope<string>();
    const seen = await scope.run('a', async () => {
      const before = scope.current;
      await sleep(1);
      return [before, scope.current];
    });
    expect(seen).toEqual(['a', 'a']);
    expect(scope.current).toBeUndefined();
  });

  it('keeps the values of works at the same time apart, and is off once the last of them has ended', async () => {
    const scope = new Scope<string>();
    const [first, second] = [new Deferred<void>(), new Deferred<void>()];
    const seenAfter = (go: Promise<void>) => async () => {
      await go;
      await sleep(1);
      return scope.current;
    };
    const one = scope.run('one', seenAfter(first.promise));
    const two = scope.run('two', seenAfter(second.promise));
    first.resolve();
    expect(await timesTurnedOff(() => one)).toBe(0);
    expect(await one).toBe('one');
    second.resolve();
    expect(await timesTurnedOff(() => two)).toBe(1);
    expect(await two).toBe('two');
  });

  it('is off after work that failed', async () => {
    const scope = new Scope<string>();
    const failing = () => scope.run('a', () => Promise.reject(new Error('no'))).catch(() => undefined);
    expect(await timesTurnedOff(failing)).toBe(1);
  });

  it('is on again for the next work', async () => {
    const scope = new Scope<string>();
    for (const value of ['a', 'b']) {
      const current = async () => {
        await sleep(1);
        return scope.current;
      };
      expect(await scope.run(value, current)).toBe(value);
    }
  });

  it('is on while somebody holds it', async () => {
    const scope = new Scope<string>();
    const release = scope.hold();
    const left = new Deferred<string | undefined>();
    scope.enter('a', () => void sleep(20).then(() => left.resolve(scope.current)));
    await scope.run('b', () => Promise.resolve());
    expect(await left.promise).toBe('a');
    expect(await timesTurnedOff(release)).toBe(1);
    expect(await timesTurnedOff(release)).toBe(0);
  });
});
