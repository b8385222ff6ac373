import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { passwordFault } from '../../../../src/store/users/password-rules.js';

const maria = { username: 'maria.santos', email: 'Maria.S@example.com' };
const list = createRequire(import.meta.url)('@zxcvbn-ts/language-common/src/passwords.json') as string[];

describe('passwordFault', () => {
  it('refuses the 10,000 commonest passwords of eight characters or more, whatever their case', async () => {
    const common = list.filter((password) => password.length >= 8).slice(0, 10_000);
    expect(common).toHaveLength(10_000);
    const faults = await Promise.all(common.map((password) => passwordFault(password, maria)));
    expect(faults.filter((fault) => fault === null)).toEqual([]);
    expect(await passwordFault('PassWord1', maria)).toContain('most common passwords');
  });

  it.each(['maria.santos', 'MARIA.SANTOS', 'maria.s@example.com', 'Maria.S'])(
    'refuses %s, a name of the account',
    async (name) => {
      expect(await passwordFault(name, maria)).toContain('username or the e-mail address');
    },
  );

  it.each(['correct-horse-7', 'correct-horse-8', 'battery-staple-8', 'correct horse 7', 'demo-shopper-1'])(
    'takes %s, which README, the interface description or the demo uses',
    async (password) => expect(await passwordFault(password, maria)).toBeNull(),
  );
});
