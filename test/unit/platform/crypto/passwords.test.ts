import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { verify } from '@node-rs/argon2';
import { matchesBy, Passwords } from '../../../../src/platform/crypto/passwords.js';

const passwords = new Passwords();
const matches = (hash: string | null, password: string): Promise<boolean> =>
  passwords.enqueue({ queue: 'login' }, (hashing) => hashing.matches(hash, password));

const hashOf = (password: string): Promise<string> => passwords.hash(password, { queue: 'registration' });

/** Algorithm, version, parameters and the lengths of salt and digest. */
function costOf(hash: string): (string | number)[] {
  const [algorithm = '', version = '', parameters = '', salt = '', digest = ''] = hash.split('$').slice(1);
  return [algorithm, version, parameters, salt.length, digest.length];
}

describe('Passwords', () => {
  it('hashes by Argon2id with 19 MiB, two passes and one lane', async () => {
    expect(await hashOf('correct horse')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('salts, so that the same password has two hashes', async () => {
    expect(await hashOf('correct horse')).not.toBe(await hashOf('correct horse'));
  });

  it('tells the right password from a wrong one', async () => {
    const hash = await hashOf('pässwörd 🐎');
    expect(await matches(hash, 'pässwörd 🐎')).toBe(true);
    expect(await matches(hash, 'passwörd 🐎')).toBe(false);
  });

  it('accepts no password when there is no usable hash', async () => {
    expect(await matches(null, 'none')).toBe(false);
    expect(await matches('none', 'none')).toBe(false);
    expect(await matches('', '')).toBe(false);
  });

  it('spends as much on verifying when there is no hash', async () => {
    const hash = await hashOf('correct horse');
    for (const missing of [null, 'none']) {
      const verifies = jest.fn(verify);
      expect(await matchesBy(verifies)(missing, 'wrong')).toBe(false);
      const costs = verifies.mock.calls.map(([verified]) => costOf(String(verified)));
      expect(costs).toEqual([costOf(hash)]);
    }
  });

  it('refuses work when four hundred are waiting', async () => {
    const held = sleep(20);
    const all = Array.from({ length: 420 }, () => passwords.enqueue({ queue: 'login' }, () => held));
    const refused = (await Promise.allSettled(all)).filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ reason: { kind: 'unavailable', code: 'busy', retryAfterSeconds: 5 } });
    expect(await matches(null, 'again')).toBe(false);
  });

  it.each([['registration'], ['change']] as const)(
    'serves a login before a hundred of the queue "%s"',
    async (queue) => {
      const begun: string[] = [];
      const work = (name: string) => async (): Promise<void> => {
        begun.push(name);
        await sleep(1);
      };
      const others = Array.from({ length: 100 }, () => passwords.enqueue({ queue }, work(queue)));
      const running = begun.length;
      await passwords.enqueue({ queue: 'login' }, work('login'));
      expect(begun.indexOf('login')).toBe(running);
      await Promise.all(others);
    },
  );

  it('serves addresses in rotation and refuses one with a hundred waiting', async () => {
    const begun: string[] = [];
    const login = (address: string) => () =>
      passwords.enqueue({ queue: 'login', address }, async () => {
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
