import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../../../src/config/settings.js';
import { PasswordRules } from '../../../../src/store/users/password-rules.js';

const maria = { username: 'maria.santos', email: 'Maria.S@example.com' };
const list = createRequire(import.meta.url)('@zxcvbn-ts/language-common/src/passwords.json') as string[];

const shop = { current: () => Promise.resolve({ name: 'Blue Kettle' }) } as never;
const stolen = { has: (password: string) => Promise.resolve(password === 'tr0ub4dor-and-3') } as never;
const rules = new PasswordRules(shop, stolen, loadSettings({ PUBLIC_URL: 'https://kettle-and-co.example' }));
const passwordFault = rules.fault.bind(rules);

describe('PasswordRules', () => {
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

  it.each([
    'maria-2026!',
    'MariaSantos7',
    'blue.kettle.1',
    'BlueKettleAdmin',
    'Store-Service-26',
    'kettle.and.co.1',
    'shopshopshop',
  ])('refuses %s, whose letters are names of the account or the shop', async (password) => {
    const chooser = { username: 'maria.santos', email: 'maria@example.com' };
    expect(await passwordFault(password, chooser)).toContain('names of the account or of the shop');
  });

  it('takes time by the length of a password, whatever the names', async () => {
    const chooser = { username: 'a'.repeat(50), email: `${'a'.repeat(49)}@example.com` };
    expect(await passwordFault(`${'a'.repeat(127)}b`, chooser)).toBeNull();
  });

  it('refuses a stolen one', async () => {
    expect(await passwordFault('tr0ub4dor-and-3', maria)).toContain('stolen from another site');
  });

  it.each(['correct-horse-7', 'correct-horse-8', 'battery-staple-8', 'correct horse 7', 'demo-shopper-1'])(
    'takes %s, which README, the interface description or the demo uses',
    async (password) => expect(await passwordFault(password, maria)).toBeNull(),
  );
});
