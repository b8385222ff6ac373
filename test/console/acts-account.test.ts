import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Account, insertAdmin, insertUser, signIn, signUp, signUpAdmin } from '../support/accounts.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { codeOf, enableTwoFactor, wrongCodeOf } from '../support/one-time-codes.js';
import { insertInvitation, insertMembership, insertOrganization } from '../support/organizations.js';
import { beginSession } from '../support/sessions.js';
import { Acts, printed } from './acts.js';
import { type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let mails: MailServer;
let owner: Account;
let acts: Acts;

beforeAll(async () => {
  mails = await startMailServer();
  scene = await startConsoleScene({ jobs: true, env: { DEMO_DATA: 'false', ...mails.env } });
  owner = await signUp(scene.app, { username: 'acts.person' });
  acts = new Acts(await scene.open(owner, 'account'), scene.app);
});

afterAll(async () => {
  await scene?.close();
  await mails?.close();
});

const part = (name: string) => acts.page.getByRole('region', { name, exact: true });
const sessions = (id = owner.id) =>
  acts.rows<{ device: string }>('SELECT device FROM sessions WHERE user_id = $1 AND ended_at IS NULL ORDER BY device', [
    id,
  ]);

describe('Account > Profile', () => {
  it('shows and changes what is in the database, and says why an address in use is refused', async () => {
    await acts.holds(part('Profile').getByLabel('E-mail'), owner.email);
    await part('Profile').getByLabel('First name').fill('Ada');
    await part('Profile').getByLabel('About you').fill('Builds engines');
    await acts.press('Save', part('Profile'));
    await acts.said('Your profile is saved');
    const stored = 'SELECT first_name, last_name, bio, email FROM users WHERE id = $1';
    const saved = { first_name: 'Ada', last_name: null, bio: 'Builds engines', email: owner.email };
    expect(await acts.row(stored, [owner.id])).toEqual(saved);
    const { email } = await insertUser(scene.app);
    await part('Profile').getByLabel('E-mail').fill(email);
    expect(await acts.refused(() => acts.press('Save', part('Profile')))).toMatch(/e-?mail/i);
    expect(await acts.row(stored, [owner.id])).toEqual(saved);
    await acts.page.reload();
    await acts.holds(part('Profile').getByLabel('First name'), 'Ada');
  });
});

describe('Account > Password and Sessions', () => {
  it('lists the active sessions, and ends one of them', async () => {
    await beginSession(scene.app, owner, 'New telephone');
    await acts.page.reload();
    const items = part('Sessions').getByRole('listitem');
    await items.filter({ hasText: 'New telephone' }).waitFor();
    expect(await items.count()).toBe((await sessions()).length);
    expect(await items.filter({ hasText: '· this one' }).innerText()).toMatch(/^Chromium/);
    await acts.press('Sign out New telephone', part('Sessions'));
    await acts.said('New telephone is signed out');
    await items.filter({ hasText: 'New telephone' }).waitFor({ state: 'detached' });
    expect(await sessions()).not.toContainEqual({ device: 'New telephone' });
  });

  it('says of a session that has already ended that it does not exist', async () => {
    await beginSession(scene.app, owner, 'Lost telephone');
    await acts.page.reload();
    await part('Sessions').getByText('Lost telephone').waitFor();
    await acts.rows("UPDATE sessions SET ended_at = now() WHERE device = 'Lost telephone'");
    const press = () => acts.press('Sign out Lost telephone', part('Sessions'));
    expect(await acts.refused(press)).toMatch(/not found/i);
    await part('Sessions').getByText('Lost telephone').waitFor({ state: 'detached' });
  });

  it('says why a wrong password changes nothing, and with the right one signs out all other devices', async () => {
    await beginSession(scene.app, owner, 'Old telephone');
    await part('Password').getByLabel('Current password').fill('not the password');
    const next = `${owner.password}, and another`;
    await part('Password').getByLabel('New password').fill(next);
    await acts.refused(() => acts.press('Change password', part('Password')));
    expect(await sessions()).toContainEqual({ device: 'Old telephone' });
    await part('Password').getByLabel('Current password').fill(owner.password);
    await acts.press('Change password', part('Password'));
    await acts.said('Your password is changed, and all other devices are signed out');
    expect(await sessions()).toEqual([{ device: 'Chromium' }]);
    await expect(signIn(scene.app, owner.username, owner.password)).rejects.toThrow();
    owner.password = next;
    await signIn(scene.app, owner.username, owner.password);
  });

  it('signs out everywhere after a confirmation, on this device too', async () => {
    const person = await insertUser(scene.app);
    await beginSession(scene.app, person, 'Tablet');
    const theirs = new Acts(await scene.open(person, 'account'), scene.app);
    await theirs.press('Sign out all');
    await theirs.answer('Sign out everywhere?', 'Sign out all');
    await theirs.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await sessions(person.id)).toEqual([]);
    await theirs.page.context().close();
  });
});

describe('Account > Two-factor', () => {
  it('makes new recovery codes and turns itself off with a right code, and says why a wrong one does nothing', async () => {
    const person = await signUp(scene.app);
    const { secret, recoveryCodes } = await enableTwoFactor(scene.app, person.token);
    const theirs = new Acts(await scene.open(person, 'account'), scene.app);
    const two = theirs.page.getByRole('region', { name: 'Two-factor' });
    const unused = 'SELECT count(*)::int AS count FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL';
    await theirs.press('New recovery codes', two);
    await two.getByRole('textbox', { name: 'Code' }).fill(wrongCodeOf(secret));
    await theirs.refused(() => theirs.press('Make new codes', two));
    await two.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, 1));
    await theirs.press('Make new codes', two);
    await theirs.said('The earlier recovery codes no longer serve');
    const shown = await two.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts();
    expect(shown).toHaveLength(10);
    expect(shown.filter((code) => recoveryCodes.includes(code))).toEqual([]);
    expect(await theirs.row(unused, [person.id])).toEqual({ count: 10 });
    expect(await printed(theirs.page, () => theirs.press('Print', two))).toEqual(
      `Recovery codes: each serves once in place of a code. They are shown only now. ${shown.join(' ')}`,
    );
    await theirs.press('Turn off', two);
    await two.getByRole('textbox', { name: 'Code' }).fill(shown[0] ?? '');
    await theirs.press('Turn off', two);
    await theirs.said('Two-factor login is off');
    expect(await theirs.row('SELECT totp_enabled FROM users WHERE id = $1', [person.id])).toEqual({
      totp_enabled: false,
    });
    await two.getByRole('button', { name: 'Set up' }).waitFor();
    await theirs.page.context().close();
  });
});

describe('Account > Invitations', () => {
  it('declines one, and says of a withdrawn one that it does not exist', async () => {
    const { id } = await insertOrganization(scene.app, { name: 'Acts hosts' });
    const { id: otherId } = await insertOrganization(scene.app, { name: 'Acts others' });
    await insertInvitation(scene.app, id, { userId: owner.id, role: 'member' });
    const other = await insertInvitation(scene.app, otherId, { userId: owner.id });
    await acts.page.reload();
    const host = part('Invitations').getByRole('listitem').filter({ hasText: 'Acts hosts' });
    await acts.press('Decline', host);
    await acts.said('The invitation is declined');
    const left = 'SELECT id FROM organization_invitations WHERE user_id = $1';
    expect(await acts.rows(left, [owner.id])).toEqual([{ id: other }]);
    await acts.rows('DELETE FROM organization_invitations');
    expect(await acts.refused(() => acts.press('Accept', part('Invitations')))).toMatch(/not found/i);
    await part('Invitations').waitFor({ state: 'detached' });
    expect(await acts.rows('SELECT FROM organization_members WHERE user_id = $1', [owner.id])).toEqual([]);
  });
});

describe('Account > Delete account', () => {
  it('says why an account that must stay is kept, and deletes another after a confirmation', async () => {
    const person = await insertAdmin(scene.app);
    const theirs = new Acts(await scene.open(person, 'account'), scene.app);
    const gone = () => theirs.row('SELECT deleted_at IS NOT NULL AS gone FROM users WHERE id = $1', [person.id]);
    const question = 'Delete your account?';
    await theirs.rows('UPDATE users SET can_be_deleted = false WHERE id = $1', [person.id]);
    await theirs.press('Delete account');
    await theirs.answer(question, 'Keep');
    await theirs.press('Delete account');
    await theirs.refused(() => theirs.answer(question, 'Delete account'));
    expect(await gone()).toEqual({ gone: false });
    await theirs.rows('UPDATE users SET can_be_deleted = true WHERE id = $1', [person.id]);
    await theirs.press('Delete account');
    await theirs.answer(question, 'Delete account');
    await theirs.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await gone()).toEqual({ gone: true });
    await theirs.page.context().close();
  });
});

describe('A session that ends', () => {
  it('in the middle of the builder or of an upload is replaced by a new login in place, and both continue as they were', async () => {
    const person = await signUp(scene.app);
    const { id } = await insertOrganization(scene.app, { name: 'Acts late' });
    await insertMembership(scene.app, id, person.id, 'admin');
    const theirs = new Acts(await scene.open(person, 'scanning/workflows/create'), scene.app);
    const { page } = theirs;
    const goOn = async (press: string) => {
      const token = await signIn(scene.app, person.username, person.password);
      await scene.app.api.delete('/api/v1/users/me/sessions', { token });
      // Not by the mouse: a stream that ends with the session may have brought the login before.
      await page.getByRole('button', { name: press, exact: true }).first().dispatchEvent('click');
      const login = page.getByRole('dialog', { name: 'Your session has ended' });
      await login.getByLabel('Password').fill(person.password);
      await theirs.press('Sign in', login);
    };
    await page.getByRole('region', { name: 'Name' }).getByLabel('Name').fill('Acts over the login');
    await page.getByRole('region', { name: 'Trigger' }).getByLabel('When').selectOption('MANUAL');
    await page.getByLabel('URL', { exact: true }).fill('https://hooks.example.com/acts');
    await page
      .getByRole('complementary', { name: 'Preview' })
      .getByText(/^Matches now:/)
      .waitFor();
    await goOn('Create');
    await theirs.said('Acts over the login is saved');
    expect(await theirs.rows('SELECT name FROM workflows WHERE organization_id = $1', [id])).toEqual([
      { name: 'Acts over the login' },
    ]);
    await theirs.at('scanning/scans?import=true');
    const buffer = Buffer.from(
      JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Acts' } }, results: [] }] }),
    );
    const file = { name: 'acts.sarif', mimeType: 'application/json', buffer };
    await page.getByLabel('Report', { exact: true }).setInputFiles(file);
    await page.getByRole('dialog').getByLabel('Asset').fill('https://code.example/acme/acts');
    await goOn('Import at once');
    await theirs.said('Imported: 0 new issues, 0 known');
    expect(await theirs.rows('SELECT status FROM scans WHERE organization_id = $1', [id])).toEqual([
      { status: 'FINISHED' },
    ]);
    expect(theirs.faults()).toEqual([]);
    await page.context().close();
  });
});

describe('Another tab', () => {
  it('that signs out leaves nothing of the user in this one, and one that signs in lets both continue', async () => {
    const clerk = await signUpAdmin(scene.app);
    const first = await scene.signIn(clerk);
    await goTo(first, 'shop/coupons?new=true');
    const second = await first.context().newPage();
    await second.goto(`${scene.app.baseUrl}/console/shop/orders`);
    await second.getByRole('heading', { name: 'Orders' }).waitFor();
    await first.getByRole('dialog', { name: 'New coupon' }).getByRole('button', { name: 'Cancel' }).click();
    await second.getByRole('button', { name: 'Sign out' }).click();
    await first.getByLabel('Password').fill(clerk.password);
    await first.getByRole('grid').waitFor({ state: 'detached' });
    await first.getByLabel('Username').fill(clerk.username);
    await first.getByRole('button', { name: 'Sign in' }).click();
    await first.getByRole('heading', { name: 'Coupons' }).waitFor();
    await second.goto(`${scene.app.baseUrl}/console/shop/orders`);
    await second.getByRole('grid').waitFor();
    await scene.app.api.delete('/api/v1/users/me/sessions', { token: clerk.token });
    await first.getByRole('link', { name: 'Customers' }).click();
    await second.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Products' }).click();
    const ended = (tab: Page) => tab.getByRole('dialog', { name: 'Your session has ended' });
    for (const tab of [first, second]) await ended(tab).waitFor();
    await ended(first).getByLabel('Password').fill(clerk.password);
    await ended(first).getByRole('button', { name: 'Sign in', exact: true }).click();
    for (const tab of [first, second]) {
      await ended(tab).waitFor({ state: 'detached' });
      await tab.getByRole('grid').waitFor();
    }
    await first.context().close();
  });

  it('that signs in as somebody else takes this one along, rather than let it act as them', async () => {
    const [clerk, other] = [await signUpAdmin(scene.app), await signUpAdmin(scene.app)];
    const first = await scene.signIn(clerk);
    await goTo(first, 'shop/orders');
    const context = first.context();
    const answer = await context.request.post(`${scene.app.baseUrl}/api/v1/auth/login?session=cookie`, {
      data: { username: other.username, password: other.password },
      headers: { origin: scene.app.baseUrl },
    });
    expect(answer.status()).toBe(200);
    await scene.app.api.delete('/api/v1/users/me/sessions', { token: clerk.token });
    await goTo(first, 'shop/coupons');
    await first.getByRole('link', { name: other.username }).waitFor();
    await context.close();
  });
});

describe('Sign in', () => {
  it('says why a wrong password is refused, leads to a forgotten one, and then to the requested page', async () => {
    const context = await acts.page.context().browser()?.newContext();
    const page = await context?.newPage();
    if (!page) throw new Error('There is no browser');
    await page.goto(`${scene.app.baseUrl}/console/account`);
    await page.getByLabel('Username').fill(owner.username);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toMatch(/username|password/i);
    await page.getByLabel('Password').fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('E-mail').fill(owner.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('If an account has this address, we have sent a link to set a new password to it.').waitFor();
    await mails.mailTo(owner.email, 'password');
    await page.getByRole('link', { name: 'Back to Sign in' }).click();
    await page.getByLabel('Username').waitFor();
    await context?.close();
    expect(acts.faults()).toEqual([]);
  });
});
