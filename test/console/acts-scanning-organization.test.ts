import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { insertUser, type InsertedUser } from '../support/accounts.js';
import { insertMembership, insertOrganization } from '../support/organizations.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let acts: Acts;
let owner: InsertedUser;
let organizationId = '';
let otherId = '';

beforeAll(async () => {
  scene = await startConsoleScene({ env: { DEMO_DATA: 'false' } });
  owner = await insertUser(scene.app, { username: 'acts.owner' });
  ({ id: organizationId } = await insertOrganization(scene.app, { name: 'Acts one' }));
  ({ id: otherId } = await insertOrganization(scene.app, { name: 'Acts two' }));
  for (const id of [organizationId, otherId]) await insertMembership(scene.app, id, owner.id, 'admin');
  acts = new Acts(await scene.open(owner, 'account'), scene.app);
  await acts.page.getByRole('combobox', { name: 'Organization' }).selectOption({ label: 'Acts one' });
});

afterAll(async () => {
  await scene?.close();
});

const sql = (text: string, values: unknown[] = []) => scene.app.database.rows(text, values);
const dialog = (title: string) => acts.page.getByRole('dialog', { name: title, exact: true });
const join = async (username: string, role: 'viewer' | 'member' | 'admin') => {
  const user = await insertUser(scene.app, { username });
  await insertMembership(scene.app, organizationId, user.id, role);
  return user;
};

describe('Organization > API keys', () => {
  const keyNamed = (name: string) =>
    acts.row('SELECT role, prefix, revoked_at IS NOT NULL AS revoked FROM api_keys WHERE name = $1', [name]);
  const run = promisify(execFile);
  let call = '';
  let key = '';

  it('makes one, which is shown once, with a curl call that works as printed', async () => {
    await acts.at('scanning/organization/api-keys');
    await acts.page.getByRole('button', { name: 'New key' }).first().click();
    await dialog('New key').getByLabel('Name').fill('Acts pipeline');
    await dialog('New key').getByLabel('Role').selectOption('viewer');
    await acts.press('Create', dialog('New key'));
    const codes = dialog('The key is made').locator('code');
    await codes.nth(1).waitFor();
    [key = '', call = ''] = await codes.allInnerTexts();
    expect(call).toContain(`'X-API-Key: ${key}'`);
    const stored = await keyNamed('Acts pipeline');
    expect(stored).toEqual({ role: 'viewer', prefix: expect.any(String), revoked: false });
    const { stdout } = await run('sh', ['-c', call]);
    expect(JSON.parse(stdout)).toMatchObject({ data: [] });
    await acts.press('Done', dialog('The key is made'));
    await acts.page.getByRole('row', { name: /^Acts pipeline .* Viewer Active/ }).waitFor();
    expect(await acts.page.content()).not.toContain(key);
  });

  it('revokes one after a confirmation; from then on it is refused', async () => {
    await acts.press('Revoke Acts pipeline');
    await acts.answer('Revoke Acts pipeline?', 'Keep');
    expect(await keyNamed('Acts pipeline')).toMatchObject({ revoked: false });
    await acts.press('Revoke Acts pipeline');
    await acts.answer('Revoke Acts pipeline?', 'Revoke');
    await acts.said('Acts pipeline is revoked');
    expect(await keyNamed('Acts pipeline')).toMatchObject({ revoked: true });
    await acts.page.getByRole('row', { name: /^Acts pipeline .* Revoked/ }).waitFor();
    expect(JSON.parse((await run('sh', ['-c', call])).stdout)).toMatchObject({ detail: expect.any(String) });
  });

  it('says in the form why a key that expires in the past is refused', async () => {
    await acts.page.getByRole('button', { name: 'New key' }).first().click();
    await dialog('New key').getByLabel('Name').fill('Acts too late');
    await dialog('New key').getByLabel('Expires').fill('2020-01-01');
    await acts.refused(() => acts.press('Create', dialog('New key')));
    await acts.press('Cancel', dialog('New key'));
    expect(await keyNamed('Acts too late')).toBeUndefined();
  });
});

describe('Organization > Members', () => {
  const roleOf = (id: string) => acts.row('SELECT role FROM organization_members WHERE user_id = $1', [id]);

  it('changes a role and removes a member after a confirmation', async () => {
    const { id } = await join('acts.member', 'viewer');
    await acts.at('scanning/organization/members');
    await acts.page.getByLabel('Role of acts.member').selectOption('member');
    await acts.said('acts.member is member now');
    expect(await roleOf(id)).toEqual({ role: 'member' });
    await acts.press('Remove acts.member');
    await acts.answer('Remove acts.member?', 'Keep');
    expect(await roleOf(id)).toEqual({ role: 'member' });
    await acts.press('Remove acts.member');
    await acts.answer('Remove acts.member?', 'Remove');
    await acts.said('acts.member is removed');
    expect(await roleOf(id)).toBeUndefined();
    await acts.page.getByLabel('Role of acts.member').waitFor({ state: 'detached' });
  });

  it('says why the last admin keeps the role, and what is lost when the only member leaves', async () => {
    const last = await insertUser(scene.app, { username: 'acts.last' });
    const { id } = await insertOrganization(scene.app, { name: 'Acts three' });
    await sql('DELETE FROM organization_members WHERE organization_id = $1', [id]);
    await insertMembership(scene.app, id, last.id, 'admin');
    const theirs = new Acts(await scene.open(last, 'scanning/organization/members'), scene.app);
    const role = theirs.page.getByLabel('Role of acts.last');
    expect(await theirs.refused(() => role.selectOption('viewer'))).toMatch(/admin/i);
    await theirs.holds(role, 'admin');
    expect(await roleOf(last.id)).toEqual({ role: 'admin' });
    await theirs.press('Leave');
    await theirs.page.getByText('You are its only member: it is deleted with all that it holds.').waitFor();
    await theirs.answer('Leave Acts three?', 'Keep');
    expect(await roleOf(last.id)).toEqual({ role: 'admin' });
    await theirs.page.context().close();
  });

  it('says why an unknown user is not invited, and withdraws an invitation', async () => {
    await acts.at('scanning/organization/members');
    await acts.press('Invite');
    const form = dialog('Invite');
    await form.getByLabel('Username or e-mail').fill('acts.nobody');
    await acts.refused(() => acts.press('Invite', form));
    await form.getByLabel('Username or e-mail').fill('guest@acts.example');
    await form.getByLabel('Role').selectOption('admin');
    await acts.press('Invite', form);
    await acts.said('guest@acts.example is invited');
    const invited = 'SELECT email, role FROM organization_invitations WHERE organization_id = $1';
    expect(await acts.rows(invited, [organizationId])).toEqual([{ email: 'guest@acts.example', role: 'admin' }]);
    await acts.press('Revoke the invitation of guest@acts.example');
    await acts.said('The invitation of guest@acts.example is revoked');
    expect(await acts.rows(invited, [organizationId])).toEqual([]);
  });
});

describe('The frame', () => {
  it('switches the organization, and remembers the choice', async () => {
    const choice = acts.page.getByRole('combobox', { name: 'Organization' });
    await acts.at('scanning/organization/general');
    const name = acts.page.getByRole('main').getByRole('textbox', { name: 'Name', exact: true });
    await acts.holds(name, 'Acts one');
    await choice.selectOption({ label: 'Acts two' });
    await acts.at('scanning/organization/general');
    await acts.holds(name, 'Acts two');
    await acts.page.reload();
    await acts.holds(name, 'Acts two');
    expect(await choice.inputValue()).toBe(otherId);
  });

  it('remembers the theme and the chosen columns, and nothing of the session', async () => {
    await acts.at('scanning/organization/members');
    await acts.page.getByRole('banner').getByLabel('Theme').selectOption('dark');
    await (await acts.menu('Columns')).getByLabel('Since').uncheck();
    const since = acts.page.getByRole('columnheader', { name: 'Since' });
    await since.waitFor({ state: 'detached' });
    await acts.page.reload();
    await acts.page.locator('html[data-theme=dark]').waitFor({ state: 'attached' });
    await acts.page.getByRole('columnheader', { name: 'Role' }).waitFor();
    expect(await since.count()).toBe(0);
    const kept = await acts.page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    const refresh = (await acts.page.context().cookies()).find(({ name }) => name === 'store_refresh');
    expect(refresh).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/v1/auth' });
    for (const part of [refresh?.value ?? '', 'eyJ', 'token', owner.username]) expect(kept).not.toContain(part);
    await acts.page.getByRole('banner').getByLabel('Theme').selectOption('system');
    expect(acts.faults()).toEqual([]);
  });
});
