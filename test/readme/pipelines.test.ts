import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nextScheduledTime } from '../../src/scanning/workflows/trigger-rules.js';
import { type ClientScene, startClientScene } from '../support/client-scene.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
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

let scene: ClientScene;
let receiver: Receiver;
let server: MailServer;
let rows: ScanningRows;
beforeAll(async () => {
  [receiver, server] = [await startReceiver(), await startMailServer()];
  scene = await startClientScene({ env: { EGRESS_ALLOW: '127.0.0.1', ...server.env }, jobs: true });
  rows = new ScanningRows(scene.app, scene.organization.id);
});
afterAll(async () => {
  await scene.close();
  await receiver.close();
  await server.close();
});

/** Makes the workflow of a recipe by the client, with these words in place of those in capitals. */
async function create(title: string, words: Record<string, string>): Promise<string> {
  const file = await scene.file(workflowOf(title, words));
  return (await scene.print('workflows', 'create', '-f', file)).id;
}

const next = (work: () => Promise<unknown>) => nextBody(receiver, work);

async function removeAll(): Promise<void> {
  await scene.app.database.rows('DELETE FROM workflows');
  await scene.app.database.rows('DELETE FROM issues');
}

describe('The recipe', () => {
  it('“Critical on production to Slack” sends what the page shows', async () => {
    const tag = await rows.tag({ name: 'production' });
    await create('Critical on production to Slack', { TAG_ID: tag, SLACK_URL: receiver.url });
    const issue = await insertRecipeIssue(rows, [tag]);
    const body = await next(() => rows.trigger('NEW_ISSUE', issue));
    for (const line of recipe('Critical on production to Slack').arrives) expect(body).toContain(line);
    await removeAll();
  });

  it('“Every night at two in Berlin” sends what the page shows', async () => {
    const id = await create('Every night at two in Berlin', { TEAMS_URL: receiver.url });
    await insertRecipeIssue(rows);
    const body = await next(() => runAtSchedule(scene.app, id));
    for (const line of recipe('Every night at two in Berlin').arrives) expect(body).toContain(line);
    await removeAll();
  });

  it.each([
    ['forward', '2026-03-27T12:00:00Z', ['28T01', '29T01', '30T00', '31T00']],
    ['back', '2026-10-23T12:00:00Z', ['24T00', '25T00', '26T01', '27T01']],
  ])('“Every night at two in Berlin” runs once a night when the clocks go %s', (_way, start, hours) => {
    const { cron, timeZone } = (JSON.parse(recipe('Every night at two in Berlin').file) as { trigger: Schedule })
      .trigger;
    let time = new Date(start);
    const times = hours.map(() => (time = nextScheduledTime(cron, timeZone, time)).toISOString().slice(8, 13));
    expect(times).toEqual(hours);
  });

  it('“A scan failed” says which', async () => {
    await create('A scan failed: which, and why', { SLACK_URL: receiver.url });
    const scan = await insertRecipeScan(rows);
    const body = await next(() => rows.trigger('SCAN_FAILED', scan));
    for (const line of recipe('A scan failed: which, and why').arrives) expect(body).toContain(line);
    await removeAll();
  });

  it('“Once a week: what changed” mails what changed since the last week, and nothing where that is nothing', async () => {
    const id = await create('Once a week: what changed', { MEMBER_ID: scene.organization.member.userId });
    await insertRecipeIssue(rows);
    await runAtSchedule(scene.app, id);
    await until(() => server.mails.some(({ subject }) => subject.includes('1 critical')), 'the mail');
    const mail = server.mails.find(({ subject }) => subject.includes('1 critical'));
    const text = mail?.text.replace(/\s+/g, ' ') ?? '';
    for (const line of recipe('Once a week: what changed').arrives) expect(text).toContain(line);
    await runAtSchedule(scene.app, id);
    const path = `/api/v1/workflows/${id}/runs`;
    const { token } = scene.organization.admin;
    let runs: { status: string; reason: string | null }[] = [];
    await until(async () => {
      runs = (await scene.app.api.get<{ data: typeof runs }>(path, { token })).body.data;
      return runs.length === 2 && runs[0]?.status !== 'PENDING';
    }, 'the second run');
    expect(runs[0]).toMatchObject({ status: 'SKIPPED', reason: 'Nothing has changed since the last run' });
    await removeAll();
  });

  it('“A ticket for each new critical” makes one', async () => {
    await create('A ticket for each new critical', {
      'https://jira.example.com/rest/api/2/issue': receiver.url,
      JIRA_TOKEN: 'abc',
    });
    const issue = await insertRecipeIssue(rows);
    const body = await next(() => rows.trigger('NEW_ISSUE', issue));
    for (const line of recipe('A ticket for each new critical').arrives) expect(body).toContain(line);
    await removeAll();
  });
});

interface Schedule {
  cron: string;
  timeZone: string;
}
