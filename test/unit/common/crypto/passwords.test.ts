import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Passwords } from '../../../../src/common/crypto/passwords.js';

const passwords = new Passwords();
const matches = (hash: string | null, password: string): Promise<boolean> =>
  passwords.inTurn({ line: 'login' }, (hashing) => hashing.matches(hash, password));

const hashOf = (password: string): Promise<string> => passwords.hash(password, { line: 'registration' });

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

describe('Passwords', () => {
  it('hashes by Argon2id with 19 MiB, two passes and one lane', async () => {
    expect(await hashOf('correct horse')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('salts: the same password has two hashes', async () => {
    expect(await hashOf('correct horse')).not.toBe(await hashOf('correct horse'));
  });

  it('knows the right password from a wrong one', async () => {
    const hash = await hashOf('pässwörd 🐎');
    expect(await matches(hash, 'pässwörd 🐎')).toBe(true);
    expect(await matches(hash, 'passwörd 🐎')).toBe(false);
  });

  it('takes no password where there is no usable hash', async () => {
    expect(await matches(null, 'none')).toBe(false);
    expect(await matches('none', 'none')).toBe(false);
    expect(await matches('', '')).toBe(false);
  });

  it('takes about as long where there is no hash', async () => {
    const hash = await hashOf('correct horse');
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let round = 0; round < 9; round++) {
      known.push(await milliseconds(() => matches(hash, 'wrong')));
      unknown.push(await milliseconds(() => matches(null, 'wrong')));
    }
    expect(median(unknown) / median(known)).toBeGreaterThan(0.5);
    expect(median(unknown) / median(known)).toBeLessThan(2);
  });

  it('turns away whoever would wait behind four hundred', async () => {
    const held = sleep(20);
    const all = Array.from({ length: 420 }, () => passwords.inTurn({ line: 'login' }, () => held));
    const refused = (await Promise.allSettled(all)).filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ reason: { kind: 'unavailable', code: 'busy', retryAfterSeconds: 5 } });
    expect(await matches(null, 'again')).toBe(false);
  });

  it.each([['registration'], ['change']] as const)('serves a login before a hundred of the line "%s"', async (line) => {
    const begun: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      begun.push(name);
      await sleep(1);
    };
    const others = Array.from({ length: 100 }, () => passwords.inTurn({ line }, work(line)));
    const running = begun.length;
    await passwords.inTurn({ line: 'login' }, work('login'));
    expect(begun.indexOf('login')).toBe(running);
    await Promise.all(others);
  });

  it('has addresses take turns, and answers 429 to one with a hundred waiting', async () => {
    const begun: string[] = [];
    const login = (address: string) => () =>
      passwords.inTurn({ line: 'login', address }, async () => {
        begun.push(address);
        await sleep(1);
      });
    const flood = Promise.allSettled(Array.from({ length: 120 }, () => login('flood')()));
    const running = begun.length;
    await login('calm')();
    expect(begun.indexOf('calm')).toBeLessThanOrEqual(running + 1);
    const refused = (await flood).filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(120 - 100 - running);
    expect(refused[0]).toMatchObject({ reason: { kind: 'too_many_requests', code: 'busy' } });
  });
});
