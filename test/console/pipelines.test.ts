import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import { insertUser, type InsertedUser } from '../support/accounts.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { insertMembership, insertOrganization } from '../support/organizations.js';
import { type Receiver, startReceiver, until } from '../support/receiver.js';
import {
  insertRecipeIssue,
  insertRecipeScan,
  nextBody,
  recipe,
  runAtSchedule,
  workflowOf,
} from '../support/recipes.js';
import { ScanningRows } from '../support/scanning-rows.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene, violationsInBothThemes } from './console-scene.js';

let scene: ConsoleScene;
let acts: Acts;
let owner: InsertedUser;
let receiver: Receiver;
let server: MailServer;
let rows: ScanningRows;
let tag: string;

beforeAll(async () => {
  [receiver, server] = [await startReceiver(), await startMailServer()];
  const env = { DEMO_DATA: 'false', EGRESS_ALLOW: '127.0.0.1', ...server.env };
  scene = await startConsoleScene({ env, jobs: true });
  const { id } = await insertOrganization(scene.app);
  rows = new ScanningRows(scene.app, id);
  owner = await insertUser(scene.app, { username: 'pipeline.owner' });
  await insertMembership(scene.app, id, owner.id, 'admin');
  tag = await rows.tag({ name: 'production' });
  acts = new Acts(await scene.open(owner, 'scanning/workflows'), scene.app);
});
afterAll(async () => {
  await scene?.close();
  await receiver?.close();
  await server?.close();
});

const part = (name: string) => acts.page.getByRole('region', { name, exact: true });
const preview = () => acts.page.getByRole('complementary', { name: 'Preview' });
const actions = () => part('Actions');

async function begin(name: string): Promise<void> {
  await acts.at('scanning/workflows/create');
  await part('Name').getByLabel('Name').pressSequentially(name);
}

async function schedule(cron: string): Promise<void> {
  await part('Trigger').getByLabel('When').selectOption('A schedule');
  for (const [field, text] of [
    ['Cron expression', cron],
    ['Time zone', 'Europe/Berlin'],
  ] as const) {
    await part('Trigger').getByLabel(field).press('ControlOrMeta+a');
    await part('Trigger').getByLabel(field).pressSequentially(text);
  }
}

async function check(menu: string, option: string): Promise<void> {
  await (await acts.menu(menu)).getByLabel(option, { exact: true }).check();
  await acts.page.keyboard.press('Escape');
}

async function sendTo(kind: string): Promise<void> {
  await actions().getByLabel('Kind', { exact: true }).selectOption(kind);
  if (kind !== 'Mail to members') await actions().getByLabel('URL').pressSequentially(receiver.url);
}

/** Saves it, and compares it with that of the recipe; returns its id. */
async function saved(title: string, words: Record<string, string>): Promise<string> {
  const expected = workflowOf(title, words) as { name: string; actions: object[] };
  await acts.press('Create');
  await acts.said(`${expected.name} is saved`);
  const [found] = await acts.rows<{ id: string }>('SELECT id FROM workflows WHERE name = $1', [expected.name]);
  const path = `/api/v1/workflows/${found?.id}`;
  const { body } = await scene.app.api.get<{ actions: object[] }>(path, { token: owner.token });
  const { actions: expectedActions, ...rest } = expected;
  expect(body).toMatchObject(rest);
  // Addresses, headers and what looks like a secret of a body are shown masked: what arrives proves them.
  const withoutSecrets = ({ parameters, ...action }: Action) => {
    const { url: _url, headers: _headers, template: _template, ...others } = parameters;
    return { ...action, parameters: others };
  };
  expect((body.actions as Action[]).map(withoutSecrets)).toMatchObject(
    (expectedActions as Action[]).map(withoutSecrets),
  );
  return found?.id ?? '';
}

interface Action {
  parameters: Record<string, unknown>;
}

/** Waits until the preview reads like this. */
const foretells = (line: string) => preview().locator('pre').filter({ hasText: line }).first().waitFor();

async function removeAll(): Promise<void> {
  for (const table of ['workflows', 'issues']) await acts.rows(`DELETE FROM ${table}`);
  await acts.at('scanning/workflows');
}

describe('By the console alone', () => {
  it('criticals on production are told to Slack', async () => {
    const title = 'Critical on production to Slack';
    const issue = await insertRecipeIssue(rows, [tag]);
    await begin('Critical on production');
    await check('Severity', 'Critical');
    await check('Tag of the asset', 'production');
    await sendTo('Message to Slack');
    await foretells('🔴 SQL injection – web shop, src/search.ts:42');
    await preview().getByLabel('Payload').waitFor({ state: 'detached' });
    await acts.page.evaluate(axe.source);
    expect(await violationsInBothThemes(acts.page)).toEqual([]);
    await saved(title, { TAG_ID: tag, SLACK_URL: receiver.url });
    const body = await nextBody(receiver, () => rows.trigger('NEW_ISSUE', issue));
    for (const line of recipe(title).arrives) expect(body).toContain(line);
    await removeAll();
  });

  it('what is open is told to Teams every night at two in Berlin', async () => {
    const title = 'Every night at two in Berlin';
    await insertRecipeIssue(rows);
    await begin('Every night');
    await schedule('0 2 * * *');
    await check('Status of the issue', 'Open');
    await sendTo('Message to Microsoft Teams');
    await foretells('• CRITICAL SQL injection – web shop, src/search.ts:42');
    const id = await saved(title, { TEAMS_URL: receiver.url });
    const body = await nextBody(receiver, () => runAtSchedule(scene.app, id));
    for (const line of recipe(title).arrives) expect(body).toContain(line);
    await removeAll();
  });

  it('a scan that failed is told to Slack, with why', async () => {
    const title = 'A scan failed: which, and why';
    const scan = await insertRecipeScan(rows);
    await begin('Scan failed');
    await part('Trigger').getByLabel('When').selectOption('A scan fails');
    await sendTo('Message to Slack');
    await foretells('Shop API – web shop, The scanner ran out of memory');
    await saved(title, { SLACK_URL: receiver.url });
    const body = await nextBody(receiver, () => rows.trigger('SCAN_FAILED', scan));
    for (const line of recipe(title).arrives) expect(body).toContain(line);
    await removeAll();
  });

  it('what changed is mailed to members once a week', async () => {
    const title = 'Once a week: what changed';
    await insertRecipeIssue(rows);
    await begin('Once a week');
    await schedule('0 8 * * 1');
    await part('Conditions').getByLabel('Only what changed since the last run').check();
    await sendTo('Mail to members');
    await actions().getByLabel('pipeline.owner').check();
    await foretells('CRITICAL: SQL injection – web shop – src/search.ts:42');
    const id = await saved(title, { MEMBER_ID: owner.id });
    await runAtSchedule(scene.app, id);
    await until(() => server.mails.some(({ subject }) => subject.includes('1 critical')), 'the mail');
    const mail = server.mails.find(({ subject }) => subject.includes('1 critical'));
    const text = mail?.text.replace(/\s+/g, ' ') ?? '';
    for (const line of recipe(title).arrives) expect(text).toContain(line);
    await removeAll();
  });

  it('each new critical becomes a ticket', async () => {
    const title = 'A ticket for each new critical';
    const words = { 'https://jira.example.com/rest/api/2/issue': receiver.url, JIRA_TOKEN: 'abc' };
    const [{ parameters }] = (workflowOf(title, words) as { actions: [Action] }).actions;
    const issue = await insertRecipeIssue(rows);
    await begin('A ticket for each critical');
    await check('Severity', 'Critical');
    await sendTo('A JSON body of your own');
    await actions().getByLabel('Body').fill('{');
    await actions().getByText('This is no JSON').waitFor();
    await actions().getByLabel('Body').fill(JSON.stringify(parameters['template']));
    await actions().getByLabel('A message for each issue').check();
    await acts.press('Add a header');
    await actions().getByLabel('Name of header 1').pressSequentially('Authorization');
    await actions().getByLabel('Value of header 1').pressSequentially('Basic abc');
    await foretells('"summary": "CRITICAL: SQL injection"');
    await saved(title, words);
    const body = await nextBody(receiver, () => rows.trigger('NEW_ISSUE', issue));
    for (const line of recipe(title).arrives) expect(body).toContain(line);
    expect(receiver.received.at(-1)?.headers.authorization).toBe('Basic abc');
    await removeAll();
  });
});

describe('A workflow in the console', () => {
  it('keeps its branches, view, digest and parts, whoever made it, and changes them', async () => {
    const { body: view } = await scene.app.api.post<{ id: string }>('/api/v1/views', {
      token: owner.token,
      json: { name: 'Ours', shared: true, filter: { severities: ['CRITICAL'] } },
    });
    await acts.page.reload();
    await begin('Of branches');
    const branches = await acts.menu('Branch');
    await branches.getByLabel('Name of a branch').pressSequentially('release/2');
    await acts.page.keyboard.press('Enter');
    await branches.getByLabel('release/2').waitFor();
    await acts.page.keyboard.press('Escape');
    await part('Conditions').getByLabel('Shared view').selectOption('Ours');
    await sendTo('Message to Discord');
    await actions().getByLabel('Sent').selectOption('Together, every day at eight');
    await part('Trigger').getByLabel('Time zone').fill('Europe/Berlin');
    await acts.press('Add an action');
    const second = actions().getByRole('group', { name: 'Export 2' });
    await second.getByLabel('URL').fill(receiver.url);
    await second.getByLabel('In parts where it is more than 50 MiB').check();
    await acts.press('Create');
    await acts.said('Of branches is saved');
    const stored = () =>
      acts.row(`SELECT w.conditions, w.time_zone, array_agg(a.digest ORDER BY a.position) AS digests,
                       array_agg(a.in_parts ORDER BY a.position) AS parts
                  FROM workflows w JOIN workflow_actions a ON a.workflow_id = w.id GROUP BY w.id`);
    const conditions = { branches: ['release/2'], viewId: view.id };
    const expected = { conditions, time_zone: 'Europe/Berlin', digests: ['daily', null], parts: [false, true] };
    expect(await stored()).toEqual(expected);
    await actions().getByLabel('Enabled').nth(1).uncheck();
    await acts.press('Save');
    await acts.said('Of branches is saved');
    expect(await stored()).toEqual(expected);
    await part('Conditions').getByLabel('Shared view').selectOption('Of any view');
    await actions().getByLabel('Sent').selectOption('At once');
    await acts.press('Save');
    await acts.said('Of branches is saved');
    expect(await stored()).toMatchObject({ conditions: { branches: ['release/2'] }, digests: [null, null] });
    expect(acts.faults()).toEqual([]);
  });
});
