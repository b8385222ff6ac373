import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SecretBox } from '../../src/platform/crypto/secret-box.js';
import { uuidV7 } from '../../src/platform/crypto/uuid-v7.js';
import { sealedUrlPlace } from '../../src/platform/delivery/delivery-statuses.js';
import { insertAdmin, insertUser } from '../support/accounts.js';
import { insertCoupon } from '../support/goods.js';
import {
  type InsertedOrganization,
  insertInvitation,
  insertMembership,
  insertOrganization,
} from '../support/organizations.js';
import { ScanningRows } from '../support/scanning-rows.js';
import { WorkflowCalls } from '../support/workflows.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';

const url = 'https://192.0.32.10/hook';

let scene: ConsoleScene;
let acts: Acts;
let organization: InsertedOrganization;
let things: ScanningRows;
let workflowId = '';

beforeAll(async () => {
  scene = await startConsoleScene({ env: { DEMO_DATA: 'false' } });
  organization = await insertOrganization(scene.app);
  things = new ScanningRows(scene.app, organization.id);
  const owner = await insertAdmin(scene.app, { username: 'acts.owner' });
  await insertMembership(scene.app, organization.id, owner.id, 'admin');
  acts = new Acts(await scene.open(owner, 'account'), scene.app);
});

afterAll(async () => {
  await scene?.close();
});

/** More of something than fits on one page of a list. */
const many = 110;

async function times(count: number, make: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 1; n <= count; n++) await make(n);
}

describe('An empty list', () => {
  it.each([
    ['shop/products', 'No product yet', 'button', 'New product', 'New product'],
    ['shop/coupons', 'No coupon yet', 'button', 'New coupon', 'New coupon'],
    ['scanning/scans', 'No scan yet', 'button', 'Import report', 'Import report'],
    ['scanning/issues', 'No issue yet', 'link', 'Import report', 'Import report'],
    ['scanning/assets', 'No asset yet', 'link', 'Import report', 'Import report'],
    ['scanning/integrations', 'No integration yet', 'button', 'New integration', 'New integration'],
    ['scanning/organization/api-keys', 'No key yet', 'button', 'New key', 'New key'],
  ] as const)('of %s says so and leads to what fills it', async (path, title, kind, name, opens) => {
    await acts.at(path);
    const empty = acts.page.getByText(title, { exact: true }).locator('..');
    await empty.getByRole(kind, { name, exact: true }).click();
    const opened = acts.page.getByRole('dialog', { name: opens, exact: true });
    await opened.waitFor();
    await acts.page.goBack();
    await opened.waitFor({ state: 'detached' });
    expect(new URL(acts.page.url()).pathname).toBe(`/console/${path}`);
  });

  it.each([
    ['shop/orders', 'No order yet'],
    ['shop/reviews', 'No review yet'],
    ['shop/testimonials', 'No testimonial yet'],
    ['scanning/events', 'No event yet'],
  ])('of %s says what fills it, if nothing on the screen does', async (path, title) => {
    await acts.at(path);
    const empty = acts.page.getByText(title, { exact: true }).locator('..');
    await empty.waitFor();
    expect((await empty.innerText()).length).toBeGreaterThan(title.length + 20);
  });

  it.each([
    ['shop/orders?status=paid', 'No order matches', 'Show all orders', 'No order yet'],
    ['shop/products?low_stock=true', 'No product matches', 'Show all products', 'No product yet'],
    ['shop/customers?search=nobody', 'Nobody matches', 'Show all', 'acts.owner'],
    ['shop/reviews?rating=5', 'No review has this rating', 'Show all reviews', 'No review yet'],
    ['shop/testimonials?featured=true', 'None is featured', 'Show all testimonials', 'No testimonial yet'],
    ['scanning/events?levels=ERROR', 'No event matches', 'Clear filters', 'No event yet'],
    ['scanning/scans?statuses=FAILED', 'No scan matches', 'Clear filters', 'No scan yet'],
    ['scanning/issues?severities=LOW', 'No issue matches', 'Clear filters', 'No issue yet'],
    ['scanning/assets?classes=HOST', 'No asset matches', 'Clear filters', 'No asset yet'],
    ['scanning/integrations?kinds=AWS', 'No integration of this kind', 'Show all', 'No integration yet'],
  ])('of %s says that its filter leaves none, and leads out of it', async (path, title, button, without) => {
    await acts.at(path);
    const empty = acts.page.getByText(title, { exact: true }).locator('..');
    await acts.press(button, empty);
    await empty.waitFor({ state: 'detached' });
    await acts.page.getByRole('main').getByText(without, { exact: true }).first().waitFor();
  });

  it('of workflows leads to their builder, and one of deliveries to running what sends them', async () => {
    for (const table of ['webhook_deliveries', 'workflow_runs', 'workflows']) await acts.rows(`DELETE FROM ${table}`);
    await acts.at('scanning/workflows');
    await acts.page.reload();
    const none = acts.page.getByText('No workflow yet').locator('..');
    await none.getByRole('link', { name: 'Create' }).click();
    await acts.page.getByRole('heading', { level: 1, name: 'New workflow' }).waitFor();
    ({ id: workflowId } = await new WorkflowCalls(scene.app, organization).make(url));
    await acts.at(`scanning/workflows/${workflowId}/deliveries`);
    const empty = acts.page.getByText('No delivery yet').locator('..');
    await acts.press('Run now', empty);
    await acts.said('The workflow runs: what it sends appears here');
    expect(await acts.rows('SELECT trigger_type FROM workflow_runs')).toEqual([{ trigger_type: 'MANUAL' }]);
  });
});

describe('A list of more than a page', () => {
  it.each([
    [
      'scanning/integrations',
      'Integrations',
      'more integrations',
      'DELETE FROM integrations',
      (n: number) => things.integration({}, { name: `rows ${n}` }),
    ],
    [
      'scanning/organization/api-keys',
      'API keys',
      'more keys',
      'DELETE FROM api_keys',
      (n: number) => organization.key('viewer', { name: `rows ${n}` }),
    ],
    [
      'scanning/organization/members',
      'Members',
      'more members',
      "DELETE FROM organization_members WHERE user_id IN (SELECT id FROM users WHERE username LIKE 'rows.%')",
      async (n: number) => {
        const { id } = await insertAdmin(scene.app, { username: `rows.${n}` });
        await insertMembership(scene.app, organization.id, id, 'viewer');
      },
    ],
  ] as const)('leads to its rest: %s', async (path, name, what, remove, make) => {
    await acts.rows(remove);
    await times(many, make);
    await acts.at('account');
    await acts.at(path);
    await acts.page.reload();
    await acts.column(name, 0, 100);
    await acts.press(`Show ${what}`);
    await acts.page.getByRole('button', { name: `Show ${what}` }).waitFor({ state: 'detached' });
    const shown = await acts
      .listOf(name)
      .filter({ hasText: /rows[ .]\d+/ })
      .count();
    expect(shown).toBe(many);
  });

  it('leads to its rest: coupons, by pages', async () => {
    await acts.rows('DELETE FROM coupons');
    await times(many, (n) => insertCoupon(scene.app, `ROWS-${n}`));
    await acts.at('shop/coupons');
    for (const count of [50, 50, many - 100]) {
      expect((await acts.column('Coupons', 0, count)).every((code) => code.startsWith('ROWS-'))).toBe(true);
      if (count === 50) await acts.press('Next');
    }
    await acts.page.getByText(`101–${many} of ${many}`).waitFor();
  });

  it('says at its end why the rest does not come, and brings it when it is asked again', async () => {
    await acts.at('account');
    await acts.at('scanning/integrations');
    await acts.page.reload();
    await acts.column('Integrations', 0, 100);
    await acts.page.route(/integrations\/?\?.*cursor=/, (route) =>
      route.fulfill({ status: 409, json: { detail: 'Not now' }, headers: { 'x-request-id': 'request-of-more' } }),
    );
    await acts.press('Show more integrations');
    const note = acts.page.getByRole('alert').filter({ hasText: 'Not now' });
    await note.getByText('request-of-more').waitFor();
    expect(await acts.page.getByText('may be out of date').count()).toBe(0);
    await acts.page.unrouteAll();
    await acts.press('Try again', note);
    await acts.column('Integrations', 0, many);
  });

  it('leads to its rest: the invited people', async () => {
    await acts.rows('DELETE FROM organization_invitations');
    await times(many, (n) => insertInvitation(scene.app, organization.id, { email: `rows.${n}@example.com` }));
    await acts.at('scanning/organization/members');
    await acts.page.reload();
    const invited = acts.page.getByRole('region', { name: 'Invited' });
    await invited.getByRole('listitem').nth(99).waitFor();
    await acts.press('Show more invitations', invited);
    await invited
      .getByRole('listitem')
      .nth(many - 1)
      .waitFor();
    await invited.getByRole('button', { name: 'Show more invitations' }).waitFor({ state: 'detached' });
  });
});

describe('What happened to an issue', () => {
  it('is shown back to its beginning', async () => {
    const issueId = await things.issue(await things.asset());
    await acts.rows(
      `INSERT INTO issue_activities (id, organization_id, issue_id, kind, comment, actor_kind)
       SELECT gen_random_uuid(), $1, $2, 'COMMENT', 'Comment ' || n, 'SYSTEM' FROM generate_series(1, $3) AS n`,
      [organization.id, issueId, many],
    );
    await acts.at(`scanning/issues?issue=${issueId}`);
    const told = acts.page.getByRole('complementary', { name: 'Issue' }).getByText(/^Comment \d+$/);
    for (const count of [50, 100]) {
      await told.nth(count - 1).waitFor();
      await acts.press('Show older activity');
    }
    await told.nth(many - 1).waitFor();
    await acts.page.getByRole('button', { name: 'Show older activity' }).waitFor({ state: 'detached' });
  });
});

describe('The organizations of somebody', () => {
  it('can all be chosen, however many there are', async () => {
    const person = await insertUser(scene.app);
    await acts.rows(
      `WITH made AS (
         INSERT INTO organizations (id, name) SELECT gen_random_uuid(), 'Rows ' || n FROM generate_series(1, $2) AS n
         RETURNING id
       ) INSERT INTO organization_members (organization_id, user_id, role) SELECT id, $1, 'viewer' FROM made`,
      [person.id, many],
    );
    const page = await scene.open(person, 'scanning');
    const choices = page.getByRole('combobox', { name: 'Organization' }).getByRole('option');
    await choices.first().waitFor({ state: 'attached' });
    expect(await choices.count()).toBe(many + 1); // and a new one
    await page.context().close();
  });
});

describe('Deliveries', () => {
  async function insertDelivery(minutes: number): Promise<void> {
    const id = uuidV7();
    const sealed = scene.app.nest.get(SecretBox, { strict: false }).seal(url, sealedUrlPlace(id));
    await acts.rows(
      `INSERT INTO webhook_deliveries (id, organization_id, workflow_id, run_id, url_sealed, payload_bytes, status, created_at)
       SELECT $1, organization_id, workflow_id, id, $2, 7, 'DELIVERED', now() - $3 * interval '1 minute'
         FROM workflow_runs LIMIT 1`,
      [id, sealed, minutes],
    );
  }

  it('are polled for the newest page only, however far back one has gone', async () => {
    const { page } = acts;
    await acts.rows('DELETE FROM webhook_deliveries');
    await times(60, (n) => insertDelivery(n));
    await page.clock.install();
    await acts.at(`scanning/workflows/${workflowId}/deliveries`);
    await page.reload();
    await acts.column('Deliveries', 1, 50);
    await acts.press('Show older deliveries');
    await acts.column('Deliveries', 1, 60);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/v1/deliveries' && !searchParams.has('since'))
        asked.push(searchParams.get('cursor') ?? 'newest');
    });
    await insertDelivery(0);
    const answered = page.waitForResponse((response) => response.url().includes('/api/v1/deliveries'));
    await page.clock.fastForward(6_000);
    await answered;
    await acts.column('Deliveries', 1, 61);
    expect(new Set(asked)).toEqual(new Set(['newest']));
    expect(acts.faults()).toEqual([]);
  });
});
