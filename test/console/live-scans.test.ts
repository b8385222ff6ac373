import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Account, signUp } from '../support/accounts.js';
import { insertMembership } from '../support/organizations.js';
import { type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let account: Account;
let applicationId: string;

beforeAll(async () => {
  scene = await startConsoleScene();
  const [profile] = await scene.app.database.rows<{ id: string; organization_id: string }>(
    'SELECT id, organization_id FROM profiles ORDER BY id LIMIT 1',
  );
  applicationId = profile?.id ?? '';
  account = await signUp(scene.app);
  await insertMembership(scene.app, profile?.organization_id ?? '', account.id, 'admin');
});

afterAll(async () => {
  await scene?.close();
});

async function started(): Promise<string> {
  const { body } = await scene.app.api.post<{ id: string }>('/api/v1/scans', {
    token: account.token,
    json: { applicationId, kind: 'FRONTEND_DAST', status: 'RUNNING' },
  });
  return body.id;
}

const move = (id: string, json: object) =>
  scene.app.api.send('PATCH', `/api/v1/scans/${id}`, { token: account.token, json });

/** The requests of a page to the service, as `/scans`; without streams. */
function askedBy(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname.replace('/api/v1', '')));
  return asked;
}

const rowOf = (page: Page, id: string) => page.getByRole('row').filter({ has: page.locator(`a[href*="${id}"]`) });

/** Signs in and goes to a screen that follows nothing. */
async function quietPage() {
  const page = await scene.signIn(account);
  await goTo(page, 'scanning/integrations');
  await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor();
  return page;
}

const listsIn = (asked: string[]) => asked.filter((path) => path === '/scans').length;

describe('running scans', () => {
  it('begin, progress and end on their screen through one stream, without a request for the list at each change', async () => {
    const page = await quietPage();
    const asked = askedBy(page);
    await goTo(page, 'scanning/scans');
    const id = await started();
    await rowOf(page, id).getByText('Running').waitFor();
    for (const percent of [42, 43, 44]) {
      await move(id, { progressRatio: percent / 100 });
      await rowOf(page, id).getByText(`${percent} %`).waitFor();
    }
    await move(id, { status: 'FINISHED' });
    await rowOf(page, id).getByText('Finished').waitFor();
    // Once at first, and once when it is followed.
    expect(listsIn(asked)).toBeLessThanOrEqual(2);
    expect(asked.filter((path) => path.startsWith('/events/'))).toEqual(['/events/stream']);
    expect(page.faults).toEqual([]);
    await page.context().close();
  });

  it('disappear from a list that is narrowed to them, and from the overview, when they end', async () => {
    const page = await quietPage();
    const [ofList, ofOverview] = [await started(), await started()];
    await goTo(page, 'scanning/scans?statuses=RUNNING');
    await rowOf(page, ofList).waitFor();
    await move(ofList, { status: 'FAILED' });
    await rowOf(page, ofList).waitFor({ state: 'detached' });
    await goTo(page, 'scanning');
    const link = page.getByRole('region', { name: 'Running scans' }).locator(`a[href*="${ofOverview}"]`);
    await link.waitFor();
    await move(ofOverview, { status: 'FINISHED' });
    await link.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('are shown on their own page through its single connection, until they end', async () => {
    const page = await quietPage();
    const id = await started();
    const asked = askedBy(page);
    await goTo(page, `scanning/scans/${id}`);
    await page.getByRole('status').filter({ hasText: 'Following' }).waitFor();
    await move(id, { progressRatio: 0.31 });
    await page.getByText('31 %').waitFor();
    await move(id, { status: 'CANCELED' });
    await page.getByText('Canceled').first().waitFor();
    expect(asked.filter((path) => path === '/events/stream')).toHaveLength(1);
    await page.context().close();
  });

  it('are polled when the stream never sends anything, without reloading the list', async () => {
    const page = await quietPage();
    const id = await started();
    await page.route('**/api/v1/events/stream*', () => undefined);
    await page.clock.install();
    const asksForStream = page.waitForRequest(/\/events\/stream/);
    await goTo(page, 'scanning/scans');
    await rowOf(page, id).waitFor();
    await asksForStream;
    await page.clock.fastForward(10_000);
    const asksInTurns = () =>
      page.waitForResponse(
        (response) => response.url().includes('/events/arrivals') && response.url().includes('after'),
      );
    await asksInTurns();
    const asked = askedBy(page);
    await move(id, { progressRatio: 0.77 });
    await rowOf(page, id).getByText('77 %').waitFor();
    await asksInTurns();
    expect(new Set(asked)).toEqual(new Set(['/events/arrivals']));
    await page.context().close();
  });
});
