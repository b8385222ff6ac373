import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { de } from '../../packages/console/src/texts/de.js';
import { en } from '../../packages/console/src/texts/en.js';
import { insertUser, type InsertedUser } from '../support/accounts.js';
import { insertMembership, insertOrganization } from '../support/organizations.js';
import { sarifLog, sarifResult } from '../support/report-imports.js';
import { ScanningRows } from '../support/scanning-rows.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene, violationsOf } from './console-scene.js';

const secret = 'AKIA1234567890ABCDEF';

let scene: ConsoleScene;
let acts: Acts;
let owner: InsertedUser;
let organizationId = '';
let things: ScanningRows;
let profileId = '';

beforeAll(async () => {
  scene = await startConsoleScene({ env: { DEMO_DATA: 'false' } });
  ({ id: organizationId } = await insertOrganization(scene.app));
  things = new ScanningRows(scene.app, organizationId);
  profileId = await things.profile();
  owner = await insertUser(scene.app, { username: 'acts.owner' });
  await insertMembership(scene.app, organizationId, owner.id, 'admin');
  acts = new Acts(await scene.open(owner, 'account'), scene.app);
  // The question asked on leaving a workflow that is not saved.
  acts.page.on('dialog', (question) => void question.accept());
});

beforeEach(() => setRole('admin'));

afterAll(async () => {
  await scene?.close();
});

const sql = (text: string, values: unknown[] = []) => scene.app.database.rows(text, values);
const setRole = (role: string) => sql('UPDATE organization_members SET role = $1 WHERE user_id = $2', [role, owner.id]);
const drawer = (title: string) => acts.page.getByRole('dialog', { name: title, exact: true });

describe('Scans', () => {
  it('shows the progress of each, cancels one after a confirmation, and says why an ended one cannot be cancelled', async () => {
    const [running, ending] = [
      await things.scan(profileId, { progress_ratio: 0.25 }),
      await things.scan(profileId, { progress_ratio: 0.5 }),
    ];
    const statusOf = (id: string) => acts.row('SELECT status FROM scans WHERE id = $1', [id]);
    await acts.at('scanning/scans');
    expect((await acts.column('Scans', 2, 2)).map((text) => text.trim())).toEqual(['50 %', '25 %']);
    await acts.at(`scanning/scans/${running}`);
    await acts.press('Cancel');
    await acts.answer('Cancel this scan?', 'Keep');
    expect(await statusOf(running)).toEqual({ status: 'RUNNING' });
    await acts.press('Cancel');
    await acts.answer('Cancel this scan?', 'Cancel the scan');
    await acts.said('The scan is canceled');
    expect(await statusOf(running)).toEqual({ status: 'CANCELED' });
    await acts.page.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' });
    await acts.at(`scanning/scans/${ending}`);
    await acts.press('Cancel');
    await sql("UPDATE scans SET status = 'FINISHED', finished_at = now() WHERE id = $1", [ending]);
    await acts.refused(() => acts.answer('Cancel this scan?', 'Cancel the scan'));
    expect(await statusOf(ending)).toEqual({ status: 'FINISHED' });
  });
});

describe('Integrations', () => {
  const form = (title: string) => drawer(title);
  const stored = (name: string) =>
    acts.row<{ kind: string; valid: boolean; parameters_sealed: string }>(
      'SELECT kind, valid, parameters_sealed FROM integrations WHERE name = $1',
      [name],
    );

  it('takes one with its secret, which is shown nowhere afterwards', async () => {
    const answers: string[] = [];
    acts.page.on('response', (response) => {
      if (response.url().includes('/integrations'))
        void response.text().then(
          (text) => answers.push(text),
          () => {},
        );
    });
    await acts.at('scanning/integrations');
    await acts.page.getByRole('button', { name: 'New integration' }).first().click();
    const made = form('New integration');
    await made.getByLabel('Name', { exact: true }).fill('Acts cloud');
    await made.getByLabel('Kind').selectOption('AWS');
    await made.getByLabel('Name of parameter 1').fill('apiKey');
    await made.getByLabel('Value of parameter 1').fill(secret);
    await acts.press('Add a parameter', made);
    await made.getByLabel('Name of parameter 2').fill('region');
    await made.getByLabel('Value of parameter 2').fill('eu-central-1');
    await acts.press('Create', made);
    await acts.said('Acts cloud is saved');
    expect(await stored('Acts cloud')).toMatchObject({ kind: 'AWS', valid: true });
    await acts.page.getByRole('row', { name: /^Acts cloud AWS Valid/ }).click();
    const read = form('Acts cloud');
    const shown = await read.getByLabel('Value of parameter 1').inputValue();
    expect([shown.includes(secret), shown, await read.getByLabel('Value of parameter 2').inputValue()]).toEqual([
      false,
      expect.stringContaining('•'),
      'eu-central-1',
    ]);
    expect(answers.length).toBeGreaterThan(1);
    expect(answers.join()).not.toContain(secret);
  });

  it('keeps the secret when another value is changed, and sends it to receivers unchanged', async () => {
    const edited = form('Acts cloud');
    await edited.getByLabel('Value of parameter 2').fill('us-east-1');
    await edited.getByLabel('Its credentials are valid').uncheck();
    await acts.press('Save', edited);
    await acts.said('Acts cloud is saved');
    expect(await stored('Acts cloud')).toMatchObject({ valid: false });
    const preview = await scene.app.api.post<{ default: { integrations: { parameters: object }[] } }>(
      '/api/v1/workflows/preview',
      {
        token: owner.token,
        json: {
          trigger: { type: 'MANUAL' },
          conditions: {},
          actions: [{ type: 'EXPORT', integrationKind: 'WEBHOOK', parameters: {} }],
        },
      },
    );
    expect(preview.body.default.integrations).toEqual([
      expect.objectContaining({ parameters: { apiKey: secret, region: 'us-east-1' } }),
    ]);
  });

  it('deletes one after a confirmation, and says why a user who may only read by now cannot', async () => {
    await acts.page.getByRole('row', { name: /^Acts cloud AWS Invalid/ }).click();
    await setRole('viewer');
    await acts.press('Delete', form('Acts cloud'));
    expect(await acts.refused(() => acts.answer('Delete Acts cloud?', 'Delete'))).toMatch(/admin/i);
    await setRole('admin');
    await acts.press('Delete', form('Acts cloud'));
    await acts.answer('Delete Acts cloud?', 'Delete');
    await acts.said('Acts cloud is deleted');
    expect(await stored('Acts cloud')).toBeUndefined();
    await acts.page.getByText('No integration yet').waitFor();
  });
});

describe('Organization > General and the Preview', () => {
  const shape = () =>
    acts.row('SELECT scoped_webhook_export_payload AS scoped FROM organizations WHERE id = $1', [organizationId]);
  const toggle = () => acts.page.getByRole('switch', { name: /^Enable scoped webhook export payload/ });
  /** Opens it anew, whatever is unsaved in the builder. */
  const general = () => acts.page.goto(`${scene.app.baseUrl}/console/scanning/organization/general`);
  const preview = () => acts.page.getByRole('complementary', { name: 'Preview' });
  const create = async () => {
    await acts.at('scanning/workflows/create');
    await acts.page.getByRole('region', { name: 'Trigger' }).getByLabel('When').selectOption('MANUAL');
    await preview()
      .getByText(/^Matches now: 1 issue, .*1 integration\. Sends all of it\./)
      .waitFor();
  };
  const payload = async () => {
    await preview()
      .getByText(/^Matches now:/)
      .waitFor();
    return JSON.parse(await preview().getByLabel('Payload').innerText()) as Record<string, Record<string, unknown>[]>;
  };

  beforeAll(async () => {
    await things.integration({ apiKey: secret }, { name: 'Acts vault' });
    const assetId = await things.asset({ name: 'acts.example.com' });
    await things.issue(assetId, { name: 'Acts finding', context: 'Evidence of it' });
  });

  it('names in red each credential that the default variant carries, with its size', async () => {
    await create();
    const sent = await payload();
    expect(sent['issues']).toEqual([expect.objectContaining({ name: 'Acts finding', asset: expect.anything() })]);
    expect(JSON.stringify(sent)).toContain(secret);
    const named = preview().getByRole('list', { name: 'Credentials' });
    expect(await named.getByRole('listitem').allInnerTexts()).toEqual(['integrations[0].parameters.apiKey']);
    await preview().getByText('Carries 1 credential:').waitFor();
    await preview()
      .getByText(/^Size: [\d.]+ (B|KiB)$/)
      .waitFor();
    const colors = await named.evaluate((list) => {
      const page = globalThis as unknown as {
        getComputedStyle(of: unknown): { color: string };
        document: { body: unknown };
      };
      return [page.getComputedStyle(list).color, page.getComputedStyle(page.document.body).color];
    });
    expect(colors[0]).not.toBe(colors[1]);
    await preview().getByLabel('Variant').selectOption('scoped');
    await preview().getByText('The scoped variant carries no credentials.').waitFor();
    expect(JSON.stringify(await payload())).not.toContain(secret);
    await preview()
      .getByText(/About [\d.]+ (B|KiB)\./)
      .waitFor();
    await acts.page.getByLabel('Integrations', { exact: true }).uncheck();
    await preview().getByLabel('Variant').selectOption('sent');
    await named.waitFor({ state: 'detached' });
  });

  it('switches to the scoped variant after a confirmation, which the Preview shows from then on', async () => {
    await general();
    await toggle().click();
    await acts.answer('Send the scoped payload?', 'Keep');
    expect([await toggle().isChecked(), await shape()]).toEqual([false, { scoped: false }]);
    await toggle().click();
    await acts.answer('Send the scoped payload?', 'Switch');
    await acts.said('The scoped payload is sent from now on');
    expect([await toggle().isChecked(), await shape()]).toEqual([true, { scoped: true }]);
    await create();
    await preview().getByText('The scoped variant carries no credentials.').waitFor();
    const sent = await payload();
    expect(sent['issues']).toEqual([expect.objectContaining({ name: 'Acts finding', assetId: expect.any(String) })]);
    expect(JSON.stringify(sent)).not.toMatch(new RegExp(`${secret}|Evidence of it`));
    await preview().getByLabel('Variant').selectOption('default');
    await preview().getByText('Carries 1 credential:').waitFor();
  });

  it('says why a user who may only read by now cannot switch back, and does not change', async () => {
    await general();
    await toggle().waitFor();
    await setRole('viewer');
    await toggle().click();
    expect(await acts.refused(() => acts.answer('Send the default payload?', 'Switch'))).toMatch(/admin/i);
    expect([await toggle().isChecked(), await shape()]).toEqual([true, { scoped: true }]);
    expect(acts.faults()).toEqual([]);
  });
});

describe('Import report', () => {
  const reported = Buffer.from(JSON.stringify(sarifLog([sarifResult('R1')], { versionControlProvenance: [] })));

  it.each(Object.entries({ en, de }))(
    'offers the assets of the organization, by their names and kinds, and takes a new name in %s',
    async (language, texts) => {
      const name = `Till of ${language}`;
      // Of one name: only the one that is chosen says which is meant.
      const [till] = [await things.asset({ name }), await things.asset({ name })];
      const page = await scene.open(owner, 'scanning/scans?import=true', { locale: language });
      const form = page.getByRole('dialog', { name: texts.common.importReport });
      const field = form.getByRole('combobox', { name: texts.common.asset });
      const list = form.getByRole('listbox', { name: texts.scans.suggestions });
      const offered = list.getByRole('option');

      await form.getByLabel(texts.scans.report, { exact: true }).setInputFiles({
        name: 'till.sarif',
        mimeType: 'application/json',
        buffer: reported,
      });
      await field.click();
      for (const at of [0, 1]) await offered.nth(at).getByText(name, { exact: true }).waitFor();
      // Escape closes the list, and not what it is in.
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'detached' });
      await field.pressSequentially(`A till of ${language} that nobody has`);
      await form.getByText(texts.scans.noAssetHasThisName).waitFor();
      await field.press('ControlOrMeta+a');
      await field.pressSequentially(`L OF ${language}`);
      await offered.nth(1).waitFor();
      expect(await offered.count()).toBe(2);
      await field.press('ArrowDown');
      await field.press('ArrowDown');
      expect(await field.getAttribute('aria-activedescendant')).toBe(await offered.nth(1).getAttribute('id'));
      expect(await violationsOf(page, 'dialog')).toEqual([]);
      await field.press('Enter');
      expect(await field.inputValue()).toBe(name);
      await list.waitFor({ state: 'detached' });
      // The pointer chooses as well, which the import shows.
      await field.press('ControlOrMeta+a');
      await field.pressSequentially(`ll of ${language}`);
      await offered.nth(1).click();
      expect(await field.inputValue()).toBe(name);
      await form.getByRole('button', { name: texts.scans.importAtOnce }).click();
      await form.waitFor({ state: 'detached' });
      const holders = await acts.rows(
        'SELECT asset_id FROM issues JOIN assets ON assets.id = asset_id WHERE assets.name = $1',
        [name],
      );
      expect(holders).toEqual([{ asset_id: till }]);
      expect(page.faults).toEqual([]);
      await page.context().close();
    },
  );
});
