import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { signIn, signUp } from '../support/accounts.js';
import { insertMembership } from '../support/organizations.js';
import { until } from '../support/receiver.js';
import { admin, type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let page: Page & { faults: string[] };
beforeAll(async () => {
  scene = await startConsoleScene();
  page = await scene.signIn(admin);
});

afterAll(async () => {
  await scene?.close();
});

const spoken: Record<string, string> = {
  CRITICAL: 'Critical',
  HIGH: 'High',
  MEDIUM: 'Medium',
  LOW: 'Low',
  INFO: 'Info',
};
/** Counts as a row of a table reads them out to screen readers. */
const inWords = (rows: { severity: string; count: number }[]) =>
  Object.keys(spoken).flatMap((severity) =>
    rows.filter((row) => row.severity === severity).map(({ count }) => `${count} ${spoken[severity]}`),
  );

describe('the scanning screens', () => {
  it('show the trend of open issues by severity, day by day', async () => {
    await goTo(page, 'scanning');
    const region = page.getByRole('region', { name: 'Open issues by severity' });
    const days = region.getByRole('table').getByRole('row');
    // Below the heads of the columns.
    await days.nth(30).waitFor({ state: 'attached' });
    const rows = await scene.app.database.rows<{ severity: string; count: number }>(
      `SELECT severity, count(*)::integer AS count FROM issues WHERE status = 'OPEN' GROUP BY severity`,
    );
    const today = Object.keys(spoken).map((one) => String(rows.find(({ severity }) => severity === one)?.count ?? 0));
    const cells = await days.nth(30).locator('td').allTextContents();
    expect(cells.slice(1).map((text) => text.trim())).toEqual(today);
    expect((await days.nth(1).locator('td').allTextContents()).slice(1)).not.toEqual(today);
  });

  it('show what is open, new and resolved by week, running and failing, as in the database', async () => {
    const { database } = scene.app;
    await goTo(page, 'scanning');
    const open = await database.rows<{ severity: string; count: number }>(
      `SELECT severity, count(*)::integer AS count FROM issues WHERE status = 'OPEN' GROUP BY severity`,
    );
    for (const { severity, count } of open) {
      await page.getByRole('link', { name: `${spoken[severity]} ${count} open` }).waitFor();
    }
    const weeks = await database.rows<{ created: number; resolved: number }>(
      `WITH days AS (
         SELECT day, date_trunc('week', day) AS week
           FROM generate_series(date_trunc('day', now() AT TIME ZONE 'UTC') - interval '29 days', now() AT TIME ZONE 'UTC', '1 day') AS day
       ), told AS (
         SELECT date_trunc('day', created_at AT TIME ZONE 'UTC') AS day, 1 AS created, 0 AS resolved FROM issues
          UNION ALL
         SELECT date_trunc('day', created_at AT TIME ZONE 'UTC'), 0, 1 FROM issue_activities
          WHERE kind = 'STATUS' AND to_value = 'RESOLVED'
       )
       SELECT coalesce(sum(created), 0)::integer AS created, coalesce(sum(resolved), 0)::integer AS resolved
         FROM days LEFT JOIN told USING (day) GROUP BY week ORDER BY week`,
    );
    const rows = page.getByRole('region', { name: 'New and resolved issues' }).getByRole('table').locator('tbody tr');
    const cells = async (row: Locator) => (await row.locator('td').allTextContents()).slice(1).map(Number);
    expect(await Promise.all((await rows.all()).map(cells))).toEqual(
      weeks.map(({ created, resolved }) => [created, resolved]),
    );
    const running = await database.rows<{ id: string }>(
      `SELECT id FROM scans WHERE status IN ('STARTING', 'RUNNING') ORDER BY id DESC`,
    );
    const failing = await database.rows<{ id: string }>(
      `SELECT id FROM webhook_deliveries WHERE status IN ('RETRYING', 'EXHAUSTED') ORDER BY created_at DESC, id DESC`,
    );
    const linksOf = async (name: string) => {
      const links = page.getByRole('region', { name }).getByRole('link');
      await links.first().waitFor();
      const hrefs = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
      return hrefs.map((href) => /(?:scans\/|delivery=)([0-9a-f-]{36})/.exec(href ?? '')?.[1]);
    };
    expect(await linksOf('Running scans')).toEqual(running.map(({ id }) => id));
    expect(await linksOf('Failing deliveries')).toEqual(failing.map(({ id }) => id));
  });

  it('show the events of a period that is brushed over the histogram', async () => {
    await goTo(page, 'scanning/events');
    const events = page.getByRole('grid', { name: 'Events' });
    const box = await page.getByRole('region', { name: 'Events over time' }).locator('.u-over').boundingBox();
    if (!box) throw new Error('There is no histogram');
    const [from, to, y] = [box.x + box.width * 0.5, box.x + box.width * 0.9, box.y + box.height / 2];
    await page.mouse.move(from, y);
    await page.mouse.down();
    await page.mouse.move((from + to) / 2, y);
    await page.mouse.move(to, y);
    await page.mouse.up();
    await page.waitForURL((url) => url.searchParams.has('since') && url.searchParams.has('until'));
    const { searchParams } = new URL(page.url());
    const [{ count } = { count: 0 }] = await scene.app.database.rows<{ count: number }>(
      'SELECT count(*)::integer AS count FROM scan_events WHERE created_at >= $1 AND created_at < $2',
      [searchParams.get('since'), searchParams.get('until')],
    );
    await page.locator(`table[aria-label=Events][aria-rowcount="${Math.min(count, 100) + 1}"]`).waitFor();
    expect(count).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'All times' }).click();
    await page.waitForURL((url) => !url.searchParams.has('since'));
    await events.waitFor();
  });

  it('show the assets of a class, a type, a tag and a text', async () => {
    const { database } = scene.app;
    const [tagged] = await database.rows<{ name: string; class: string; type: string; tag: string }>(
      `SELECT a.name, a.class, a.type, t.name AS tag FROM assets a
         JOIN asset_tags ON asset_id = a.id JOIN tags t ON t.id = tag_id ORDER BY a.id LIMIT 1`,
    );
    const found = async (where: string, value: string | undefined) => {
      const sql = `SELECT DISTINCT a.name FROM assets a LEFT JOIN asset_tags ON asset_id = a.id LEFT JOIN tags t ON t.id = tag_id
                    WHERE ${where}`;
      return (await database.rows<{ name: string }>(sql, [value])).map(({ name }) => name).sort();
    };
    const listed = async () => {
      const names = page.getByRole('grid', { name: 'Assets' }).locator('tbody tr td:first-child');
      return [...new Set((await names.allInnerTexts()).map((text) => text.trim()))].sort();
    };
    for (const [query, where, value] of [
      [`classes=${tagged?.class}`, 'a.class = $1', tagged?.class],
      [`types=${tagged?.type}`, 'a.type = $1', tagged?.type],
      [`search=${encodeURIComponent(tagged?.name ?? '')}`, 'position(lower($1) in lower(a.name)) > 0', tagged?.name],
    ]) {
      await goTo(page, `scanning/assets?${query}`);
      const expected = (await found(where ?? '', value)).join();
      await until(async () => (await listed()).join() === expected, `the assets by ${query}`);
    }
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.locator('main summary').filter({ hasText: 'Tag' }).click();
    await page
      .getByRole('main')
      .getByLabel(tagged?.tag ?? '', { exact: true })
      .check();
    const expected = (await found('t.name = $1', tagged?.tag)).join();
    await until(async () => (await listed()).join() === expected, 'the assets by a tag');
    expect(new URL(page.url()).searchParams.has('tagIds')).toBe(true);
  });

  it('show the open issues of each asset by severity, each leading to its list', async () => {
    const [asset] = await scene.app.database.rows<{ id: string; name: string }>(
      `SELECT a.id, a.name FROM assets a JOIN issues i ON i.asset_id = a.id AND i.status = 'OPEN'
        GROUP BY a.id ORDER BY count(*) DESC LIMIT 1`,
    );
    const counts = await scene.app.database.rows<{ severity: string; count: number }>(
      `SELECT severity, count(*)::integer AS count FROM issues WHERE asset_id = $1 AND status = 'OPEN' GROUP BY severity`,
      [asset?.id],
    );
    await goTo(page, 'scanning/assets');
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: asset?.name ?? '', exact: true }) });
    expect((await row.getByRole('link').nth(1).innerText()).split(/\s+/).join(' ')).toContain(inWords(counts)[0]);
    await row.getByRole('link').nth(1).click();
    await page.waitForURL(
      (url) => url.searchParams.get('assetIds') === asset?.id && url.searchParams.get('statuses') === 'OPEN',
    );
    await goTo(page, `scanning/assets/${asset?.id}`);
    for (const { severity, count } of counts) {
      await page.getByRole('link', { name: `${spoken[severity]} ${count} open` }).waitFor();
    }
  });

  it('show when each workflow last ran and with what outcome', async () => {
    await goTo(page, 'scanning/workflows');
    const row = page.getByRole('row', { name: /^Everything, by hand/ });
    // As its deliveries turned out, the worst first.
    const [worst] = await scene.app.database.rows<{ status: string }>(
      `SELECT d.status FROM webhook_deliveries d JOIN workflow_runs r ON r.id = d.run_id JOIN workflows w ON w.id = r.workflow_id
        WHERE w.name LIKE 'Everything, by hand%' ORDER BY r.created_at DESC, r.id DESC,
              array_position(ARRAY['EXHAUSTED', 'RETRYING', 'PENDING', 'CANCELED', 'DELIVERED'], d.status) LIMIT 1`,
    );
    await row.getByText(new RegExp(`^${worst?.status}$`, 'i')).waitFor();
    await page
      .getByRole('row', { name: /^Open issues, every Monday/ })
      .getByText('Never')
      .waitFor();
    const [workflow] = await scene.app.database.rows<{ id: string; organization_id: string }>(
      `SELECT id, organization_id FROM workflows WHERE name = 'Everything, by hand'`,
    );
    await scene.app.database.rows(
      `INSERT INTO workflow_runs (id, organization_id, workflow_id, trigger_type, status, reason)
       VALUES (gen_random_uuid(), $1, $2, 'MANUAL', 'SKIPPED', 'Nothing matched')`,
      [workflow?.organization_id, workflow?.id],
    );
    await goTo(page, 'scanning/issues');
    await page.getByRole('heading', { name: 'Issues' }).waitFor();
    await page.reload();
    await goTo(page, 'scanning/workflows');
    const last = row.getByTitle('Nothing matched');
    await last.getByText('Skipped').waitFor();
    await last.click();
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  });

  it('lead from a workflow to its given-up deliveries, and offer to resend only if there are some', async () => {
    const replayAll = page.getByRole('button', { name: 'Replay all exhausted' });
    const deliveries = page.getByRole('grid', { name: 'Deliveries' });
    const failingOf = (name: RegExp, count: string) =>
      page.getByRole('row', { name }).getByRole('link', { name: count, exact: true }).click();
    await goTo(page, 'scanning/workflows');
    await failingOf(/^Serious new issues/, '1');
    await deliveries.getByRole('row', { name: /Exhausted/ }).waitFor();
    expect(await deliveries.getAttribute('aria-rowcount')).toBe('2');
    await replayAll.waitFor();
    await goTo(page, 'scanning/workflows');
    await failingOf(/^Everything, by hand/, '0');
    await deliveries.getByRole('row', { name: /Delivered/ }).waitFor();
    await replayAll.waitFor({ state: 'detached' });
  });

  it('show what is new, seen again and gone in a scan', async () => {
    const [scan] = await scene.app.database.rows<{ id: string }>(
      `SELECT id FROM scans WHERE status = 'FINISHED' ORDER BY created_at DESC LIMIT 1`,
    );
    const token = await signIn(scene.app, admin.username, admin.password);
    const { body } = await scene.app.api.get<
      Record<'created' | 'seen' | 'gone', { total: number; issues: { name: string }[] }>
    >(`/api/v1/scans/${scan?.id}/issues`, { token });
    await goTo(page, `scanning/scans/${scan?.id}`);
    for (const [title, { total, issues }] of [
      ['New', body.created],
      ['Seen again', body.seen],
      ['Gone', body.gone],
    ] as const) {
      const group = page.getByRole('region', { name: title, exact: true });
      await group.getByRole('heading', { name: `${title} ${total}` }).waitFor();
      expect(await group.locator('li a').allTextContents()).toEqual(issues.map(({ name }) => name));
    }
    expect(body.created.total + body.seen.total).toBeGreaterThan(0);
    expect(page.faults).toEqual([]);
  });

  it('describe an asset in words', async () => {
    const [asset] = await scene.app.database.rows<{ id: string }>(
      `SELECT id FROM assets WHERE service->>'framework' = 'REST_NESTJS' LIMIT 1`,
    );
    await goTo(page, `scanning/assets/${asset?.id}`);
    await page.getByText('REST NestJS', { exact: true }).waitFor();
  });

  it('request nothing of an organization that the user has left', async () => {
    const account = await signUp(scene.app);
    const [organization] = await scene.app.database.rows<{ id: string }>('SELECT id FROM organizations');
    await insertMembership(scene.app, organization?.id ?? '', account.id, 'viewer');
    const theirs = await scene.signIn(account);
    await goTo(theirs, 'scanning/organization/members');
    await theirs.getByRole('button', { name: 'Leave' }).click();
    await theirs.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await theirs.getByText(/^You have left /).waitFor();
    await theirs.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    // The page of the account itself makes its requests last.
    await theirs.getByText('· this one').waitFor();
    expect(theirs.faults).toEqual([]);
    await theirs.context().close();
  });
});

describe("the workflow builder's preview", () => {
  it('says what matches and names the credentials that would be sent, and is sent no address', async () => {
    const bodies: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/workflows/preview')) bodies.push(request.postData() ?? '');
    });
    await goTo(page, 'scanning/workflows/create');
    await page.getByLabel('URL', { exact: true }).fill('https://hooks.example.com/told-to-nobody');
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await preview.getByText(/Matches now: [\d,]+ issues/).waitFor();
    const named = preview
      .getByRole('alert')
      .getByText(/^issues\[…\]\..+\.authorization × \d+$/)
      .first();
    await named.waitFor();
    await page.getByLabel('Issues', { exact: true }).uncheck();
    await named.waitFor({ state: 'detached' });
    expect(bodies.join()).not.toContain('told-to-nobody');
    expect(page.faults).toEqual([]);
  });
});
