import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Account, signUp } from '../support/accounts.js';
import { codeOf, enableTwoFactor } from '../support/one-time-codes.js';
import { beginSession } from '../support/sessions.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let owner: Account;
let acts: Acts;

beforeAll(async () => {
  scene = await startConsoleScene({ env: { DEMO_DATA: 'false' } });
  owner = await signUp(scene.app, { username: 'prove.again' });
  acts = new Acts(await scene.open(owner, 'account'), scene.app);
});
afterAll(() => scene?.close());

const dialog = () => acts.page.getByRole('dialog', { name: 'Is it you?', exact: true });
const part = (name: string) => acts.page.getByRole('region', { name, exact: true });
const telephones = async () =>
  (await acts.rows(`SELECT FROM sessions WHERE user_id = $1 AND device = 'Telephone' AND ended_at IS NULL`, [owner.id]))
    .length;

/** The page of a login that is too old to end other sessions, of which there is one. */
beforeEach(async () => {
  await beginSession(scene.app, owner, 'Telephone');
  await acts.rows(`UPDATE sessions SET authenticated_at = now() - interval '1 hour' WHERE user_id = $1`, [owner.id]);
  await acts.page.reload();
  await acts.press('Sign out Telephone', part('Sessions'));
  await dialog().waitFor();
});

describe('What takes a recent login', () => {
  it('is refused when the question is cancelled', async () => {
    await acts.press('Cancel', dialog());
    await dialog().waitFor({ state: 'detached' });
    await acts.page.getByText('This takes a login of the last 15 min').first().waitFor();
    expect(await telephones()).toBe(1);
  });

  it('goes on where it was after the password, and says why a wrong one does not do', async () => {
    await dialog().getByLabel('Password').fill('not the password');
    await acts.press('Confirm', dialog());
    await dialog().getByText('The current password is wrong').waitFor();
    await dialog().getByLabel('Password').fill(owner.password);
    await acts.press('Confirm', dialog());
    await dialog().waitFor({ state: 'detached' });
    await acts.said('Telephone is signed out');
    // Without another question, the rest goes on too.
    await acts.press('Sign out Telephone', part('Sessions'));
    await acts.said('Telephone is signed out');
    expect(await telephones()).toBe(0);
  });

  it('asks for a code too where two-factor login was turned on meanwhile', async () => {
    const { secret } = await enableTwoFactor(scene.app, owner.token);
    await dialog().getByLabel('Password').fill(owner.password);
    await acts.press('Confirm', dialog());
    await dialog().getByLabel('Code').fill(codeOf(secret));
    await acts.press('Confirm', dialog());
    await dialog().waitFor({ state: 'detached' });
    await acts.said('Telephone is signed out');
    expect(await telephones()).toBe(0);
  });
});
