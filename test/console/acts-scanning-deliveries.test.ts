import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertUser } from '../support/accounts.js';
import { insertMembership, insertOrganization } from '../support/organizations.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { ScanningRows } from '../support/scanning-rows.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';

const secret = 'AKIA1234567890ABCDEF';

interface Payload {
  issues: { id: string; name: string; severity: string; status: string }[];
  integrations: { parameters: object }[];
}

let scene: ConsoleScene;
let receiver: Receiver;
let acts: Acts;
let organizationId = '';

beforeAll(async () => {
  receiver = await startReceiver();
  const env = { DEMO_DATA: 'false', EGRESS_ALLOW: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '0.2' };
  scene = await startConsoleScene({ jobs: true, env });
  ({ id: organizationId } = await insertOrganization(scene.app));
  const owner = await insertUser(scene.app, { username: 'acts.owner' });
  await insertMembership(scene.app, organizationId, owner.id, 'admin');
  await new ScanningRows(scene.app, organizationId).integration({ apiKey: secret }, { name: 'Acts vault' });
  acts = new Acts(await scene.open(owner, 'scanning/scans'), scene.app);
});

afterAll(async () => {
  await scene?.close();
  await receiver?.close();
});

const report = {
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Acts Scanner', rules: [{ id: 'A1', name: 'Token in a log' }] } },
      versionControlProvenance: [{ repositoryUri: 'https://code.example/acme/acts' }],
      results: ['error', 'error', 'warning'].map((level, index) => ({
        ruleId: 'A1',
        level,
        message: { text: `A token is written to log ${index}` },
        locations: [{ physicalLocation: { artifactLocation: { uri: `src/log-${index}.ts` } } }],
      })),
    },
  ],
};

const preview = () => acts.page.getByRole('complementary', { name: 'Preview' });
const delivery = () => acts.page.getByRole('dialog', { name: 'Delivery' });
const deliveries = (status: string) =>
  acts.page.getByRole('grid', { name: 'Deliveries' }).getByRole('row', { name: status });
const stored = () =>
  acts.rows<{ id: string; severity: string; status: string }>('SELECT id, severity, status FROM issues ORDER BY id');
const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id);
/** The size that the builder showed. */
let size = '';

describe('From a report to its receiver', () => {
  it('a report is imported', async () => {
    await acts.press('Import report');
    const drawer = acts.page.getByRole('dialog', { name: 'Import report' });
    const buffer = Buffer.from(JSON.stringify(report));
    await drawer
      .getByLabel('Report', { exact: true })
      .setInputFiles({ name: 'acts.sarif', mimeType: 'application/json', buffer });
    await acts.press('Import at once', drawer);
    await acts.said('Imported: 3 new issues, 0 known');
    expect(await stored()).toHaveLength(3);
  });

  it('one of its issues is set aside, with a comment', async () => {
    await acts.page.getByRole('region', { name: 'Issues of the scan' }).getByRole('link', { name: 'All' }).click();
    await acts.column('Issues', 2, 3);
    await acts.listOf('Issues').last().getByRole('checkbox').check();
    const bar = acts.page.getByRole('form', { name: 'Change the selected issues' });
    await bar.getByLabel('New status').selectOption('IGNORED');
    await bar.getByLabel('Comment').fill('A log of tests');
    await acts.press('Change', bar);
    await acts.said('1 issue now ignored');
    expect((await stored()).filter(({ status }) => status === 'OPEN')).toHaveLength(2);
  });

  it('a workflow is set up for the others, with the size, variant and credentials of its payload in view', async () => {
    await acts.at('scanning/workflows');
    await acts.page.getByRole('link', { name: 'Create', exact: true }).first().click();
    await acts.page.getByRole('region', { name: 'Name' }).getByLabel('Name').fill('Acts export');
    await acts.page.getByRole('region', { name: 'Trigger' }).getByLabel('When').selectOption('MANUAL');
    const conditions = acts.page.getByRole('region', { name: 'Conditions' });
    await conditions.getByText('Status of the issue').click();
    await conditions.getByLabel('Open', { exact: true }).check();
    await acts.page.getByLabel('URL', { exact: true }).fill(receiver.url);
    await preview()
      .getByText(/^Matches now: 2 issues/)
      .waitFor();
    const named = preview().getByRole('list', { name: 'Credentials' }).getByRole('listitem');
    expect(await named.allInnerTexts()).toEqual(['integrations[0].parameters.apiKey']);
    size = (
      await preview()
        .getByText(/^Size:/)
        .innerText()
    ).replace('Size: ', '');
    await acts.press('Create');
    await acts.said('Acts export is saved');
  });

  it('it runs while its receiver is away, which gets in the end what was imported', async () => {
    receiver.answer = (response) => {
      response.statusCode = 503;
      response.end('Closed for today');
    };
    await acts.at('scanning/workflows');
    await acts.press('Run now', acts.page.getByRole('row', { name: /^Acts export/ }));
    await acts.said('Acts export runs: its deliveries show what was sent');
    await acts.page
      .getByRole('row', { name: /^Acts export/ })
      .getByRole('link')
      .nth(1)
      .click();
    await deliveries('Exhausted').click();
    await delivery().getByText('Closed for today').first().waitFor();
    await delivery().getByText(size, { exact: true }).waitFor();
    const [first] = await receiver.has(1);
    const sent = JSON.parse(first?.bytes.toString() ?? '') as Payload;
    const open = (await stored()).filter(({ status }) => status === 'OPEN');
    const received = sent.issues.map(({ id, severity, status }) => ({ id, severity, status }));
    expect(received.sort(byId)).toEqual(open);
    expect(sent.integrations).toEqual([expect.objectContaining({ parameters: { apiKey: secret } })]);
    await delivery().getByText('Payload', { exact: true }).click();
    const shown = delivery().locator('details pre');
    await shown.waitFor();
    expect(JSON.parse(await shown.innerText())).toEqual(sent);
    await acts.press('Close', delivery());
  });

  it('all given-up deliveries are replayed after a confirmation, and arrive with their original bytes', async () => {
    await acts.at('scanning/workflows');
    await acts.press('Run now', acts.page.getByRole('row', { name: /^Acts export/ }));
    await acts.page
      .getByRole('row', { name: /^Acts export/ })
      .getByRole('link')
      .nth(1)
      .click();
    await deliveries('Exhausted').nth(1).waitFor();
    const before = (await receiver.has(4)).length;
    receiver.answerWith();
    await acts.press('Replay all exhausted');
    await acts.answer('Replay all exhausted deliveries?', 'Keep');
    expect(receiver.received).toHaveLength(before);
    await acts.press('Replay all exhausted');
    await acts.answer('Replay all exhausted deliveries?', 'Replay');
    await acts.said('2 deliveries on the way again');
    await deliveries('Delivered').nth(1).waitFor();
    const received = await receiver.has(before + 2);
    const bodies = (of: typeof received) => new Set(of.map(({ bytes }) => bytes.toString()));
    expect(bodies(received.slice(before))).toEqual(bodies(received.slice(0, before)));
    await acts.page.getByRole('button', { name: 'Replay all exhausted' }).waitFor({ state: 'detached' });
  });

  it('the list of deliveries can be narrowed by hand to one status', async () => {
    await acts.rows(
      "UPDATE webhook_deliveries SET status = 'CANCELED' WHERE id = (SELECT min(id::text)::uuid FROM webhook_deliveries)",
    );
    const menu = await acts.menu('Status');
    await menu.getByLabel('Canceled').check();
    expect((await acts.column('Deliveries', 1, 1)).map((text) => text.trim())).toEqual(['Canceled']);
    await menu.getByLabel('Canceled').uncheck();
    await menu.getByLabel('Delivered').check();
    await deliveries('Delivered').waitFor();
    await acts.column('Deliveries', 1, 1);
    expect(acts.faults()).toEqual([]);
  });
});
