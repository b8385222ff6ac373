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
let assets: string[] = [];

beforeAll(async () => {
  scene = await startConsoleScene({ env: { DEMO_DATA: 'false' } });
  ({ id: organizationId } = await insertOrganization(scene.app));
  things = new ScanningRows(scene.app, organizationId);
  assets = [await things.asset({ name: 'shop.example' }), await things.asset({ name: 'blog.example' })];
  engineer = await insertUser(scene.app, { username: 'views.engineer' });
  await insertMembership(scene.app, organizationId, engineer.id, 'admin');
  acts = new Acts(await scene.open(engineer, 'account'), scene.app);
});

beforeEach(async () => {
  await scene.app.database.rows('DELETE FROM issues');
  await acts.at('account');
  await acts.page.evaluate('localStorage.clear()');
});

afterAll(async () => {
  await scene?.close();
});

const set = (id: string, assignments: string) =>
  scene.app.database.rows(`UPDATE issues SET ${assignments} WHERE id = $1`, [id]);
const names = (count: number) => acts.column('Issues', 2, count);

/** Three issues of a rule on two assets, and one of another rule. */
async function makeIssues(): Promise<string[]> {
  const [shop = '', blog = ''] = assets;
  const ids = [
    await things.issue(shop, { name: 'Cookie without flags' }),
    await things.issue(shop, { name: 'Cookie without flags' }),
    await things.issue(blog, { name: 'Cookie without flags' }),
    await things.issue(blog, { name: 'Open redirect' }),
  ];
  for (const id of ids.slice(0, 3)) await set(id, "security_test_uid = 'cookie-flags', severity = 'LOW'");
  await set(ids[3] ?? '', "security_test_uid = 'redirect', severity = 'CRITICAL'");
  await set(ids[1] ?? '', "status = 'RESOLVED'");
  return ids;
}

describe('Issues by rule and by asset', () => {
  it('are counted by severity, and each group leads to its issues with the filters that there were', async () => {
    await makeIssues();
    await acts.at('scanning/issues');
    await names(4);
    const views = acts.page.getByRole('navigation', { name: 'Ways to see the issues' });
    await views.getByRole('link', { name: 'By rule' }).click();
    expect(await acts.column('Issues by rule', 0, 2)).toEqual(['Cookie without flags', 'Open redirect']);
    expect(await acts.column('Issues by rule', 3, 2)).toEqual(['2', '1']);
    expect(await acts.column('Issues by rule', 4, 2)).toEqual(['3', '1']);
    await acts.page.getByText('4 issues in 2 groups').waitFor();
    await (await acts.menu('Status')).getByLabel('Open', { exact: true }).check();
    await acts.page.getByText('3 issues in 2 groups').waitFor();
    await acts.listOf('Issues by rule').first().focus();
    await acts.page.keyboard.press('Enter');
    expect(await names(2)).toEqual(['Cookie without flags', 'Cookie without flags']);
    await acts.page.getByRole('button', { name: 'Remove the filter by Rule' }).click();
    await names(3);
    await views.getByRole('link', { name: 'By asset' }).click();
    expect(await acts.column('Issues by asset', 0, 2)).toEqual(
      expect.arrayContaining(['blog.example', 'shop.example']),
    );
    await acts.page.getByRole('link', { name: 'shop.example' }).click();
    expect(await names(1)).toEqual(['Cookie without flags']);
    await acts.page.goBack();
    await acts.column('Issues by asset', 0, 2);
    expect(acts.faults()).toEqual([]);
  });

  it('lead to the issues of a rule whose id has commas, also from a saved view', async () => {
    const [shop = ''] = assets;
    const odd = await things.issue(shop, { name: 'Of an odd rule' });
    await set(odd, "security_test_uid = 'java,sql,1'");
    await set(await things.issue(shop, { name: 'Of its part' }), "security_test_uid = 'java'");
    await acts.at('scanning/issues?by=rule');
    await acts.page.reload();
    await acts.column('Issues by rule', 0, 2);
    await acts.page.getByRole('link', { name: 'Of an odd rule' }).click();
    expect(await names(1)).toEqual(['Of an odd rule']);
    await acts.page.reload();
    expect(await names(1)).toEqual(['Of an odd rule']);
    await acts.page.getByText('java,sql,1', { exact: true }).waitFor();
    const views = await acts.menu('Views');
    await views.getByLabel('Name of the view').pressSequentially('Odd');
    await views.getByLabel('Name of the view').press('Enter');
    await views.getByRole('button', { name: 'Odd', exact: true }).waitFor();
    await acts.page.keyboard.press('Escape');
    await acts.press('Clear filters');
    await names(2);
    await (await acts.menu('Views')).getByRole('button', { name: 'Odd', exact: true }).click();
    expect(await names(1)).toEqual(['Of an odd rule']);
    expect(acts.faults()).toEqual([]);
  });

  it('say what brings some where there are none', async () => {
    await acts.at('scanning/issues?by=rule');
    await acts.page.reload(); // the rows were removed behind its back
    await acts.page.getByText('No issue yet').waitFor();
    await acts.page.getByRole('link', { name: 'Import report' }).click();
    await acts.page.getByRole('dialog', { name: 'Import report' }).waitFor();
  });
});

describe('Issues, by what is known of their exploits and people', () => {
  it('are filtered by KEV, EPSS and any member, each shown as a chip that removes it', async () => {
    const ids = await makeIssues();
    const [first = '', , third = '', fourth = ''] = ids;
    await set(first, 'kev = true, epss = 0.9');
    await set(third, 'epss = 0.2');
    await set(fourth, `assignee_id = '${engineer.id}', due_at = now() - interval '2 days'`);
    await acts.at('scanning/issues');
    await names(4);
    await (await acts.menu('More')).getByLabel('Known to be exploited (KEV)').check();
    expect(await names(1)).toEqual(['Cookie without flags\nKEV']);
    await acts.page.getByRole('button', { name: 'Remove the filter by Known to be exploited' }).click();
    await names(4);
    await (await acts.menu('More')).getByLabel('Probability of an exploit (EPSS)').selectOption('0.1');
    await names(2);
    await acts.page.getByText('10% or more', { exact: true }).waitFor();
    await acts.page.getByLabel('Order', { exact: true }).selectOption('Most probably exploited first');
    await until(async () => (await names(2))[0]?.includes('KEV') === true, 'the most probable first');
    await acts.page.getByRole('button', { name: 'Remove the filter by EPSS' }).click();
    await names(4);
    await (await acts.menu('More')).getByLabel('Assignee').selectOption('views.engineer');
    expect(await names(1)).toEqual(['Open redirect']);
    await acts.page.getByText('views.engineer', { exact: true }).last().waitFor();
    await acts.press('Clear filters');
    await names(4);
    await acts.listOf('Issues').filter({ hasText: 'KEV' }).click();
    const panel = acts.page.getByRole('complementary', { name: 'Issue' });
    await panel.getByText('Known to be exploited').waitFor();
    await panel.getByText('Probability within 30 days (EPSS): 90%').waitFor();
    expect(acts.faults()).toEqual([]);
  });
});

describe('Issues that are due', () => {
  it('are found by a date before which they are, shown as a chip that removes it', async () => {
    const [soon = '', later = ''] = await makeIssues();
    await set(soon, "due_at = '2026-12-03T12:00:00Z', name = 'Soon'");
    await set(later, "due_at = '2027-02-03T12:00:00Z', name = 'Later'");
    await acts.at('scanning/issues');
    await names(4);
    const field = (await acts.menu('More')).getByLabel('Due before');
    await field.focus();
    await acts.page.keyboard.type('01012027');
    await field.blur();
    expect(await names(1)).toEqual(['Soon']);
    expect(new URL(acts.page.url()).searchParams.get('dueUntil')).toMatch(/^202[67]-/);
    await acts.page.reload();
    expect(await names(1)).toEqual(['Soon']);
    await acts.page.getByText('Jan 1, 2027').first().waitFor();
    await acts.page.getByRole('button', { name: 'Remove the filter by Due before' }).click();
    await names(4);
    expect(acts.faults()).toEqual([]);
  });
});

describe('All issues that match', () => {
  it('are selected beyond those that are loaded, changed at once, and by a key only after a question', async () => {
    const [shop = ''] = assets;
    for (let index = 0; index < 103; index++) await things.issue(shop, { name: `Of many ${index}` });
    await things.issue(shop, { name: 'Another' });
    const statuses = () =>
      acts.rows<{ status: string; count: number }>(
        'SELECT status, count(*)::integer AS count FROM issues GROUP BY status ORDER BY status',
      );
    await acts.at('scanning/issues?search=of+many');
    await names(100);
    await acts.page.getByLabel('Select all').check();
    const bar = acts.page.getByRole('form', { name: 'Change the selected issues' });
    await bar.getByText('100 issues selected').waitFor();
    await acts.press('Select all 103 issues', bar);
    await bar.getByText('All 103 issues that match are selected').waitFor();
    await bar.getByLabel('Comment').fill('Only a comment');
    expect(await bar.getByRole('button', { name: 'Change 103 issues' }).isDisabled()).toBe(true);
    await bar.getByLabel('New status').selectOption('MANUAL_REVIEW');
    await acts.press('Change 103 issues', bar);
    await acts.said('103 issues changed');
    expect(await statuses()).toEqual([
      { status: 'MANUAL_REVIEW', count: 103 },
      { status: 'OPEN', count: 1 },
    ]);
    await bar.waitFor({ state: 'detached' });
    await acts.page.getByLabel('Select all').check();
    await acts.press('Select all 103 issues', bar);
    await acts.listOf('Issues').first().focus();
    await acts.page.keyboard.press('r');
    const question = acts.page.getByRole('dialog', { name: 'Change all 103 issues?' });
    await acts.press('Keep', question);
    await question.waitFor({ state: 'detached' });
    expect(await statuses()).toMatchObject([{ status: 'MANUAL_REVIEW' }, { status: 'OPEN' }]);
    await acts.listOf('Issues').first().focus();
    await acts.page.keyboard.press('r');
    await acts.answer('Change all 103 issues?', 'Change 103 issues');
    await acts.said('103 issues changed');
    expect(await statuses()).toEqual([
      { status: 'OPEN', count: 1 },
      { status: 'RESOLVED', count: 103 },
    ]);
    // A single row that is deselected ends the choice of all.
    await acts.page.getByLabel('Select all').check();
    await acts.press('Select all 103 issues', bar);
    await acts.listOf('Issues').first().getByRole('checkbox').uncheck();
    await bar.getByText('99 issues selected').waitFor();
    await acts.listOf('Issues').first().getByRole('checkbox').check();
    await bar.getByText('100 issues selected').waitFor();
    expect(acts.faults()).toEqual([]);
  });
});

describe('The metrics of issues', () => {
  it('count what waits, what is overdue and how long fixes took, and lead to the issues', async () => {
    const ids = await makeIssues();
    const [first = '', second = '', , fourth = ''] = ids;
    await set(first, "created_at = now() - interval '10 days', due_at = now() - interval '1 day'");
    await set(fourth, "created_at = now() - interval '200 days'");
    await set(second, "created_at = now() - interval '5 days', status = 'OPEN'");
    const { token } = engineer;
    await scene.app.api.patch(`/api/v1/issues/${second}`, { token, json: { status: 'RESOLVED' } });
    await acts.at('scanning/issues');
    await acts.page.getByRole('link', { name: 'Metrics' }).click();
    const waiting = acts.page.getByRole('region', { name: 'Waiting for somebody' }).first();
    const cells = (row: RegExp) => waiting.getByRole('row', { name: row }).getByRole('cell').allInnerTexts();
    await waiting.getByRole('row', { name: /Critical/ }).waitFor();
    expect(await cells(/Critical/)).toEqual(['1', '–', '–', '–', '–', '1']);
    expect(await cells(/Low/)).toEqual(['2', '1', '1', '1', '–', '–']);
    expect(await cells(/All/)).toEqual(['3', '1', '1', '1', '0', '1']);
    const fixes = acts.page.getByRole('region', { name: 'Time to fix' });
    expect(await fixes.getByRole('row', { name: /Low/ }).getByRole('cell').allInnerTexts()).toEqual(['1', '5', '5']);
    await acts.press('4 weeks');
    await until(async () => acts.page.url().includes('weeks=4'), 'the period in the address');
    await waiting.getByRole('row', { name: /Low/ }).getByRole('link').nth(1).click();
    expect(await names(1)).toEqual(['Cookie without flags']);
    await acts.page.getByRole('button', { name: 'Remove the filter by Overdue' }).waitFor();
    await acts.page.goBack();
    await waiting
      .getByRole('row', { name: /Critical/ })
      .getByRole('link')
      .last()
      .click();
    expect(await names(1)).toEqual(['Open redirect']);
    await acts.page.getByRole('button', { name: 'Remove the filter by First seen before' }).waitFor();
    expect(acts.faults()).toEqual([]);
  });
});

describe('The issue policy', () => {
  const policy = () => acts.row('SELECT * FROM issue_policies WHERE organization_id = $1', [organizationId]);

  it('is typed, saved, and asks which version to keep if somebody else changed it', async () => {
    const tagId = await things.tag({ name: 'production' });
    await acts.at('scanning/organization/general');
    await acts.page
      .getByRole('navigation', { name: 'Organization' })
      .getByRole('link', { name: 'Issue policy' })
      .click();
    const form = acts.page.getByRole('form', { name: 'Issue policy' });
    const days = (severity: string) => form.getByLabel(`Days to fix: ${severity}`);
    await days('Critical').pressSequentially('7');
    await days('High').pressSequentially('30');
    await acts.press('Add an assignee', form);
    await form.getByLabel('Assignee 1').selectOption('views.engineer');
    await form.getByLabel('Ignoring an issue without an end takes a reason').check();
    await acts.press('Save', form);
    await acts.said('The issue policy is saved');
    const stored = await scene.app.api.get<object>('/api/v1/issues/policy', { token: engineer.token });
    expect(stored.body).toMatchObject({
      daysToFix: { CRITICAL: 7, HIGH: 30, MEDIUM: null, LOW: null, INFO: null },
      assignees: [{ tagId, username: 'views.engineer' }],
      reasonRequired: true,
    });
    expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await days('Medium').pressSequentially('9x');
    await acts.press('Save', form);
    expect(await days('Medium').evaluate((field) => field.matches(':invalid'))).toBe(true);
    await days('Medium').fill('');
    await days('Medium').pressSequentially('90');
    const json = { daysToFix: { CRITICAL: 3 }, assignees: [], reasonRequired: true };
    await scene.app.api.put('/api/v1/issues/policy', { token: engineer.token, json });
    await acts.press('Save', form);
    const question = acts.page.getByRole('dialog', { name: 'The issue policy was changed meanwhile' });
    await question.getByText('production: views.engineer').waitFor();
    await acts.press('Take theirs', question);
    await acts.holds(days('Critical'), '3');
    expect(await days('Medium').inputValue()).toBe('');
    expect(await policy()).toBeDefined();
    expect(acts.faults()).toEqual([]);
  });

  it('can only be read by others than admins', async () => {
    await scene.app.database.rows('UPDATE organization_members SET role = $1 WHERE user_id = $2', [
      'viewer',
      engineer.id,
    ]);
    await acts.at('scanning/organization/issue-policy');
    await acts.page.reload();
    const form = acts.page.getByRole('form', { name: 'Issue policy' });
    expect(await form.getByLabel('Days to fix: Critical').isDisabled()).toBe(true);
    expect(await form.getByRole('button').count()).toBe(0);
    await scene.app.database.rows('UPDATE organization_members SET role = $1 WHERE user_id = $2', [
      'admin',
      engineer.id,
    ]);
    await acts.page.reload();
  });
});
