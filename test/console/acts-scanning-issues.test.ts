import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { insertUser, type InsertedUser } from '../support/accounts.js';
import { insertMembership, insertOrganization } from '../support/organizations.js';
import { until } from '../support/receiver.js';
import { ScanningRows } from '../support/scanning-rows.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let acts: Acts;
let engineer: InsertedUser;
let organizationId = '';
let things: ScanningRows;
let assetId = '';
let ids: string[] = [];

beforeAll(async () => {
  scene = await startConsoleScene({ env: { DEMO_DATA: 'false' } });
  ({ id: organizationId } = await insertOrganization(scene.app));
  things = new ScanningRows(scene.app, organizationId);
  assetId = await things.asset();
  engineer = await insertUser(scene.app, { username: 'acts.engineer' });
  await insertMembership(scene.app, organizationId, engineer.id, 'member');
  acts = new Acts(await scene.open(engineer, 'account'), scene.app);
});

beforeEach(async () => {
  await scene.app.database.rows('DELETE FROM issues');
  await scene.app.database.rows('DELETE FROM issue_views');
  await setRole('member');
  ids = [];
  for (const name of ['Third', 'Second', 'First']) ids.unshift(await things.issue(assetId, { name }));
  await acts.at('account');
  await acts.page.evaluate('localStorage.clear()');
});

afterAll(async () => {
  await scene?.close();
});

const setRole = (role: string) =>
  scene.app.database.rows('UPDATE organization_members SET role = $1 WHERE user_id = $2', [role, engineer.id]);
const row = (at: number) => acts.listOf('Issues').nth(at);
const panel = () => acts.page.getByRole('complementary', { name: 'Issue' });
const issue = (at: number) => acts.row('SELECT severity, status FROM issues WHERE id = $1', [ids[at]]);

/** Opens a list of issues in its current state. */
async function list(query = ''): Promise<void> {
  await acts.at(`scanning/issues${query}`);
  await acts.page.reload();
  await row(0).waitFor();
}

async function strike(at: number, key: string): Promise<void> {
  await row(at).focus();
  await acts.page.keyboard.press(key);
}

const becomes = (at: number, field: 'severity' | 'status', value: string) =>
  until(async () => (await issue(at))?.[field] === value, `${field} ${value}`);

describe('Issues, by the keyboard', () => {
  it('get the severity of the focused row by 1 to 5, and its status by o, m, r, i and f', async () => {
    await list();
    for (const [key, severity] of Object.entries({ 1: 'CRITICAL', 2: 'HIGH', 3: 'MEDIUM', 4: 'LOW', 5: 'INFO' })) {
      await strike(0, key);
      await becomes(0, 'severity', severity);
    }
    const statuses = { m: 'MANUAL_REVIEW', r: 'RESOLVED', o: 'OPEN', i: 'IGNORED', f: 'FALSE_POSITIVE' };
    for (const [key, status] of Object.entries(statuses)) {
      await strike(0, key);
      await becomes(0, 'status', status);
    }
    await row(0).getByText('False positive').waitFor();
    // It keeps its place while one works, and is sorted anew with the next look.
    expect(await acts.column('Issues', 2, 3)).toEqual(['First', 'Second', 'Third']);
    await list();
    expect(await acts.column('Issues', 2, 3)).toEqual(['Second', 'Third', 'First']);
    expect([await issue(1), await issue(2)]).toEqual([
      { severity: 'HIGH', status: 'OPEN' },
      { severity: 'HIGH', status: 'OPEN' },
    ]);
  });

  it('keep their place where they are sorted beyond what is loaded, unless the filter leaves them out', async () => {
    const older = new Date(Date.now() - 86_400_000);
    for (let n = 0; n < 110; n++) await things.issue(assetId, { name: `Older ${n}`, created_at: older });
    await list();
    await strike(0, '5');
    await row(0).and(acts.page.locator(':focus')).getByText('Info').waitFor();
    await acts.page.keyboard.press('ArrowDown');
    await row(1).and(acts.page.locator(':focus')).getByText('Second').waitFor();
    await list('?severities=HIGH');
    await row(0).getByText('Second').waitFor();
    await strike(0, '5');
    await row(0).getByText('Third').waitFor();
    await list();
    await row(0).getByText('Third').waitFor();
  });

  it('are not changed by keys pressed in a choice or a menu, only by those on the box that selects a row', async () => {
    await list();
    await row(1).click();
    for (const label of ['Severity', 'Status']) {
      await panel().getByLabel(label, { exact: true }).focus();
      await acts.page.keyboard.press('Shift+1');
      expect(
        await panel()
          .getByLabel(label, { exact: true })
          .evaluate((one) => one.matches(':focus')),
      ).toBe(true);
    }
    await (await acts.menu('Status')).getByLabel('Open', { exact: true }).focus();
    for (const key of ['i', 'f', '2', '5', 'r']) await acts.page.keyboard.press(key);
    await acts.page.keyboard.press('Escape');
    for (const key of ['i', 'f', '2', '5', 'r']) await acts.page.keyboard.press(key);
    await row(2).getByRole('checkbox').click();
    await acts.page.keyboard.press('m');
    await becomes(2, 'status', 'MANUAL_REVIEW');
    expect([await issue(0), await issue(1)]).toEqual([
      { severity: 'HIGH', status: 'OPEN' },
      { severity: 'HIGH', status: 'OPEN' },
    ]);
    await acts.page.keyboard.press('ArrowUp');
    expect(await row(1).evaluate((one) => one.matches(':focus'))).toBe(true);
  });

  it('are changed where selected, and never where a filter has hidden them', async () => {
    await list();
    await strike(0, 'Space');
    await strike(1, 'Space');
    await strike(1, 'i');
    await becomes(0, 'status', 'IGNORED');
    await becomes(1, 'status', 'IGNORED');
    expect(await issue(2)).toEqual({ severity: 'HIGH', status: 'OPEN' });
    await acts.page.getByText('2 issues selected').waitFor();
    await (await acts.menu('Status')).getByLabel('Open', { exact: true }).check();
    await acts.column('Issues', 1, 1);
    await acts.page.getByText('2 issues selected').waitFor({ state: 'detached' });
    await strike(0, 'r');
    await becomes(2, 'status', 'RESOLVED');
    expect([await issue(0), await issue(1)]).toMatchObject([{ status: 'IGNORED' }, { status: 'IGNORED' }]);
  });
});

describe('Issues, many at once', () => {
  it('take a status, a severity and one comment, and report the outcome', async () => {
    await list();
    await acts.page.getByLabel('Select all').check();
    const bar = acts.page.getByRole('form', { name: 'Change the selected issues' });
    expect(await bar.getByRole('button', { name: 'Change' }).isDisabled()).toBe(true);
    await bar.getByLabel('New status').selectOption('MANUAL_REVIEW');
    await bar.getByLabel('New severity').selectOption('LOW');
    await bar.getByLabel('Comment').fill('Looked at together');
    await acts.press('Change', bar);
    await acts.said('3 issues now manual review and of severity low');
    expect(await Promise.all([0, 1, 2].map(issue))).toEqual(
      Array.from({ length: 3 }, () => ({ severity: 'LOW', status: 'MANUAL_REVIEW' })),
    );
    const comments = `SELECT count(DISTINCT issue_id)::int AS issues FROM issue_activities
                       WHERE comment = 'Looked at together' AND issue_id = ANY ($1)`;
    expect(await acts.row(comments, [ids])).toEqual({ issues: 3 });
    await bar.waitFor({ state: 'detached' });
  });

  it('say why nothing is changed by a user who may only read by now, and show the actual values', async () => {
    await list(`?issue=${ids[0]}`);
    await setRole('viewer');
    expect(await acts.refused(() => panel().getByLabel('Status').selectOption('RESOLVED'))).toMatch(/role|member/i);
    await acts.holds(panel().getByLabel('Status'), 'OPEN');
    await acts.refused(() => panel().getByLabel('Severity').selectOption('INFO'));
    await acts.holds(panel().getByLabel('Severity'), 'HIGH');
    await panel().getByLabel('Add a comment').fill('Kept while it is refused');
    await acts.refused(() => acts.press('Comment', panel()));
    await acts.holds(panel().getByLabel('Add a comment'), 'Kept while it is refused');
    await acts.refused(() => strike(1, 'r'));
    expect(await Promise.all([0, 1].map(issue))).toMatchObject([{ status: 'OPEN' }, { status: 'OPEN' }]);
  });
});

describe('Issues, with people and times', () => {
  const state = (at: number) =>
    acts.row(
      `SELECT status, assignee_id, due_at::text AS due, accepted_reason, accepted_until IS NOT NULL AS ends, external_url
         FROM issues WHERE id = $1`,
      [ids[at]],
    );

  it('are assigned, dated and linked where selected, and accepted until a time from the panel', async () => {
    await list();
    await strike(0, 'Space');
    await strike(1, 'Space');
    await acts.press('Assign, due date …');
    const dialog = acts.page.getByRole('dialog', { name: 'Change 2 issues' });
    await dialog.getByLabel('Assigned to').selectOption('acts.engineer');
    await dialog.getByLabel('Due').fill('2030-01-02');
    await dialog.getByLabel('Ticket').fill('https://tickets.example.com/SHOP-42');
    await acts.press('Change', dialog);
    await dialog.waitFor({ state: 'detached' });
    for (const at of [0, 1]) {
      expect(await state(at)).toMatchObject({
        assignee_id: engineer.id,
        due: expect.stringContaining('2030-01-0'),
        external_url: 'https://tickets.example.com/SHOP-42',
      });
    }
    expect(await state(2)).toMatchObject({ assignee_id: null, due: null, external_url: null });
    await list(`?issue=${ids[2]}`);
    await acts.press('Assign, accept …', panel());
    const one = acts.page.getByRole('dialog', { name: 'Change 1 issue' });
    await one.getByLabel('Status').selectOption('IGNORED');
    await one.getByLabel('Accepted until').fill('2030-01-02');
    await one.getByLabel('Why it is accepted').fill('Behind the firewall');
    await acts.press('Change', one);
    await panel().getByText('Behind the firewall').first().waitFor();
    expect(await state(2)).toMatchObject({ status: 'IGNORED', ends: true, accepted_reason: 'Behind the firewall' });
  });

  it('are changed by their filter, after it was shown what would change', async () => {
    await scene.app.database.rows(`UPDATE issues SET severity = 'LOW' WHERE id = ANY ($1)`, [ids.slice(1)]);
    await list('?severities=LOW');
    await acts.press('Change all that match …');
    const dialog = acts.page.getByRole('dialog', { name: 'Change all issues that match' });
    await dialog.getByLabel('Status').selectOption('MANUAL_REVIEW');
    await acts.press('Show what would change', dialog);
    const outlook = dialog.getByRole('region', { name: 'What would change' });
    await outlook.getByText('2 issues would change, of 2 issues that match.').waitFor();
    const names = (await outlook.getByRole('listitem').allInnerTexts()).map((text) => text.split(' ')[0]);
    expect(new Set(names)).toEqual(new Set(['Second', 'Third']));
    expect(await issue(1)).toMatchObject({ status: 'OPEN' });
    await acts.press('Change 2 issues', dialog);
    await acts.said('2 issues changed');
    expect(await Promise.all([0, 1, 2].map(issue))).toMatchObject([
      { status: 'OPEN' },
      { status: 'MANUAL_REVIEW' },
      { status: 'MANUAL_REVIEW' },
    ]);
  });
});

describe('The panel of an issue', () => {
  it('changes it, gives its severity back to the scans, and shows all that as its activity', async () => {
    await list();
    await row(0).click();
    await panel().getByText('in q', { exact: true }).waitFor();
    await panel().getByLabel('Severity').selectOption('LOW');
    await becomes(0, 'severity', 'LOW');
    await panel().getByText('The severity was set by hand').waitFor();
    await acts.press('Give it back to the scans', panel());
    await becomes(0, 'severity', 'HIGH');
    await panel().getByText('The severity was set by hand').waitFor({ state: 'detached' });
    await panel().getByLabel('Status').selectOption('IGNORED');
    await becomes(0, 'status', 'IGNORED');
    await panel().getByLabel('Add a comment').fill('Known since spring');
    await acts.press('Comment', panel());
    await panel().getByText('Known since spring').waitFor();
    await acts.holds(panel().getByLabel('Add a comment'), '');
    const told = (await panel().getByRole('list').last().getByRole('listitem').allInnerTexts()).join('\n');
    for (const sentence of [/severity from High to Low/, /status from Open to Ignored/, /acts\.engineer commented/]) {
      expect(told).toMatch(sentence);
    }
    const comments = 'SELECT comment FROM issue_activities WHERE issue_id = $1 AND comment IS NOT NULL';
    expect(await acts.rows(comments, [ids[0]])).toEqual([{ comment: 'Known since spring' }]);
    await acts.press('Close', panel());
    await panel().waitFor({ state: 'detached' });
  });
});

describe('Issues, by filters', () => {
  it('are found by rule, asset, assignee and due date, in the order that is asked for, and are kept so as a view', async () => {
    await scene.app.database.rows(
      `UPDATE issues SET security_test_uid = 'xss', severity = 'CRITICAL', assignee_id = $2,
                         due_at = now() - interval '1 day' WHERE id = $1`,
      [ids[1], engineer.id],
    );
    await scene.app.database.rows(`UPDATE issues SET severity = 'LOW' WHERE id = $1`, [ids[0]]);
    await list();
    const named = (count: number) => acts.column('Issues', 2, count);
    await acts.page.getByLabel('Order', { exact: true }).selectOption('Most severe first');
    await until(async () => (await named(3)).join() === 'Second,Third,First', 'the most severe first');
    const rule = (await acts.menu('More')).getByRole('searchbox', { name: 'Rule' });
    await rule.pressSequentially('xss');
    await acts.page.keyboard.press('Enter');
    expect(await named(1)).toEqual(['Second']);
    await rule.fill('');
    await named(3);
    await (await acts.menu('More')).getByLabel('Assignee').selectOption('Assigned to me');
    expect(await named(1)).toEqual(['Second']);
    await (await acts.menu('More')).getByLabel('Assignee').selectOption('Assigned to nobody');
    expect(await named(2)).toEqual(['Third', 'First']);
    await (await acts.menu('More')).getByLabel('Assignee').selectOption('Assigned to anybody or nobody');
    await named(3);
    await (await acts.menu('More')).getByLabel('Overdue').check();
    expect(await named(1)).toEqual(['Second']);
    await acts.menu('Views');
    await acts.page.getByLabel('Name of the view').fill('Late');
    await acts.press('Keep');
    await acts.page.getByRole('heading', { level: 1 }).click(); // closes the menu
    await acts.press('Clear filters');
    await named(3);
    await acts.page.getByLabel('Order', { exact: true }).selectOption('Newest first');
    await acts.menu('Views');
    await acts.press('Late');
    expect(await named(1)).toEqual(['Second']);
    await acts.holds(acts.page.getByLabel('Order', { exact: true }), 'severity');
    await row(0).click();
    await panel().getByText('Assigned to', { exact: true }).waitFor();
    await panel().getByText('acts.engineer').first().waitFor();
    expect(acts.faults()).toEqual([]);
  });

  it('show what is in the database, and can be kept as a view, and forgotten', async () => {
    await scene.app.database.rows("UPDATE issues SET severity = 'CRITICAL', category = 'SCHEMA' WHERE id = $1", [
      ids[1],
    ]);
    await scene.app.database.rows("UPDATE issues SET status = 'MANUAL_REVIEW' WHERE id = $1", [ids[2]]);
    await list();
    const named = (count: number) => acts.column('Issues', 2, count);
    await acts.menu('Views');
    await acts.press('To be reviewed');
    expect(await named(1)).toEqual(['Third']);
    // The menu stays while another list loads.
    await acts.press('Open, critical and high');
    expect((await named(2)).sort()).toEqual(['First', 'Second']);
    await (await acts.menu('Category')).getByLabel('Schema', { exact: true }).check();
    expect(await named(1)).toEqual(['Second']);
    await acts.menu('Views');
    await acts.page.getByLabel('Name of the view').fill('Schemas');
    await acts.page.getByLabel('For everybody').check();
    await acts.press('Keep');
    await acts.page.getByText('shared', { exact: true }).waitFor();
    await acts.page.getByRole('heading', { level: 1 }).click(); // closes the menu
    await acts.press('Clear filters');
    await named(3);
    await acts.page.reload();
    await acts.menu('Views');
    await acts.press('Schemas');
    expect(await named(1)).toEqual(['Second']);
    await acts.press('Forget Schemas');
    await acts.page.getByRole('button', { name: 'Schemas', exact: true }).waitFor({ state: 'detached' });
    await acts.page.getByRole('heading', { level: 1 }).click(); // closes the menu
    await acts.press('Clear filters');
    await acts.page.getByRole('searchbox', { name: 'Search' }).fill('thir');
    expect(await named(1)).toEqual(['Third']);
    expect(acts.faults()).toEqual([]);
  });
});
