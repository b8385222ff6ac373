import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAdmin, insertUser } from '../support/accounts.js';
import { insertMembership } from '../support/organizations.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';

const roles = ['stranger', 'shop admin', 'viewer', 'member', 'admin'] as const;
type Role = (typeof roles)[number];

let scene: ConsoleScene;
const as = {} as Record<Role, Acts>;
const ids: Record<string, string> = {};

beforeAll(async () => {
  scene = await startConsoleScene();
  const { database } = scene.app;
  const idOf = async (name: string, sql: string) => {
    ids[name] = (await database.rows<{ id: string }>(sql))[0]?.id ?? '';
  };
  await idOf(
    'organization',
    'SELECT organization_id AS id FROM webhook_deliveries WHERE organization_id IS NOT NULL LIMIT 1',
  );
  await idOf('scan', "SELECT id FROM scans WHERE status = 'RUNNING' ORDER BY id LIMIT 1");
  await idOf('issue', 'SELECT id FROM issues ORDER BY id LIMIT 1');
  await idOf('delivery', "SELECT id FROM webhook_deliveries WHERE status = 'EXHAUSTED' LIMIT 1");
  await idOf('workflow', `SELECT workflow_id AS id FROM webhook_deliveries WHERE status = 'EXHAUSTED' LIMIT 1`);
  await idOf('integration', 'SELECT id FROM integrations ORDER BY id LIMIT 1');
  for (const role of roles) {
    const user = await (role === 'shop admin' ? insertAdmin : insertUser)(scene.app, {
      username: `acts.${role.replace(' ', '.')}`,
    });
    if (role === 'viewer' || role === 'member' || role === 'admin') {
      await insertMembership(scene.app, ids['organization'] ?? '', user.id, role);
    }
    as[role] = new Acts(await scene.open(user, 'account'), scene.app);
  }
});

afterAll(async () => {
  await scene?.close();
});

const addressOf = (path: string) => path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '');

/** What a screen shows to everyone who may see it: once it is there, so are the actions that they may take. */
const shown: Record<string, string> = {
  'scanning/scans': 'grid "Scans"',
  'scanning/issues?issue=:issue': 'heading "Activity"',
  'scanning/workflows': 'grid "Workflows"',
  'scanning/scans/:scan': 'region "Events of the scan"',
  'scanning/workflows/:workflow/deliveries?delivery=:delivery': 'heading "Attempts"',
  'scanning/integrations?integration=:integration': 'textbox "Name"',
  'scanning/organization/general': 'heading "General"',
  'scanning/organization/members': 'grid "Members"',
};

type Kind = 'button' | 'link' | 'switch' | 'textbox';
const acts: [path: string, kind: Kind, name: string | RegExp, least: 'viewer' | 'member' | 'admin'][] = [
  ['scanning/scans', 'button', 'Import report', 'member'],
  ['scanning/scans/:scan', 'button', 'Cancel', 'member'],
  ['scanning/issues?issue=:issue', 'button', 'Comment', 'member'],
  ['scanning/workflows', 'button', 'Run now', 'member'],
  ['scanning/workflows', 'link', 'Create', 'admin'],
  ['scanning/workflows/:workflow/deliveries?delivery=:delivery', 'button', 'Replay', 'admin'],
  ['scanning/integrations?integration=:integration', 'button', 'Save', 'admin'],
  ['scanning/integrations?integration=:integration', 'button', 'Delete', 'admin'],
  ['scanning/integrations?integration=:integration', 'button', 'Add a parameter', 'admin'],
  ['scanning/organization/general', 'switch', /^Enable scoped webhook export payload/, 'admin'],
  ['scanning/organization/general', 'button', 'Save', 'admin'],
  ['scanning/organization/general', 'link', 'API keys', 'admin'],
  ['scanning/organization/members', 'button', 'Leave', 'viewer'],
  ['scanning/organization/members', 'button', 'Invite', 'admin'],
  ['scanning/organization/members', 'button', /^Remove /, 'admin'],
];

describe('What a user may not do', () => {
  it.each(['viewer', 'member', 'admin'] as const)(
    'is not offered to a %s of the organization, unlike the rest',
    async (role) => {
      const { page } = as[role];
      const offered: Record<string, boolean> = {};
      const expected: Record<string, boolean> = {};
      const ranks = ['viewer', 'member', 'admin'];
      for (const path of Object.keys(shown)) {
        await as[role].at('account');
        await as[role].at(addressOf(path));
        const [kind = '', name = ''] = (shown[path] ?? '').replace('"', '|').replace('"', '').split(' |');
        await page
          .getByRole(kind as 'heading', { name, exact: true })
          .first()
          .waitFor();
        for (const [its, control, called, least] of acts) {
          if (its !== path) continue;
          const target = page.getByRole(control, { name: called, exact: typeof called === 'string' });
          const isMine = ranks.indexOf(role) >= ranks.indexOf(least);
          if (isMine) await target.first().waitFor();
          offered[`${path} ${called}`] = (await target.count()) > 0;
          expected[`${path} ${called}`] = isMine;
        }
      }
      expect(offered).toEqual(expected);
    },
  );

  it('leaves no empty bar at the foot of a drawer', async () => {
    for (const path of Object.keys(shown).filter((one) => /delivery=|integration=/.test(one))) {
      await as.viewer.at('account');
      await as.viewer.at(addressOf(path));
      const drawer = as.viewer.page.getByRole('dialog');
      await drawer.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
      expect(await drawer.locator('footer').filter({ visible: true }).count()).toBe(0);
    }
  });

  it('cannot be done by a viewer with a key, by selecting rows or in the panel', async () => {
    const { page } = as.viewer;
    await as.viewer.at(addressOf('scanning/issues?issue=:issue'));
    const panel = page.getByRole('complementary', { name: 'Issue' });
    await panel.getByLabel('Severity').waitFor();
    expect([await panel.getByLabel('Severity').isDisabled(), await panel.getByLabel('Status').isDisabled()]).toEqual([
      true,
      true,
    ]);
    const changes: string[] = [];
    page.on('request', (request) => request.method() === 'PATCH' && changes.push(request.url()));
    for (const key of ['1', 'r', 'f']) {
      await as.viewer.listOf('Issues').first().focus();
      await page.keyboard.press(key);
    }
    await page.getByRole('form', { name: 'Change the selected issues' }).waitFor({ state: 'detached' });
    expect(changes).toEqual([]);
  });

  it.each([
    ['stranger', ['Scanning']],
    ['shop admin', ['Shop', 'Scanning']],
    ['viewer', ['Scanning']],
    ['admin', ['Scanning']],
  ] as const)('is not in the navigation of a %s', async (role, groups) => {
    const navigation = as[role].page.getByRole('navigation', { name: 'Screens' });
    const wings = navigation.getByRole('list', { name: 'Parts of the service' }).getByRole('link');
    const all = [...(await wings.allInnerTexts()), ...(await navigation.locator('p').allInnerTexts())];
    expect(all.map((text) => text.trim())).toEqual([...groups, 'You']);
  });
});

describe('What a user may not do, opened by its address', () => {
  it.each([
    ['stranger', 'shop/products?new=true', /^Only an admin of the shop/],
    ['admin', 'shop/customers', /^Only an admin of the shop/],
    ['stranger', 'scanning/scans?import=true', /^This page shows an organization/],
    ['shop admin', 'scanning/organization/general', /^This page shows an organization/],
    ['member', 'scanning/workflows/create', /^Only admins of the organization/],
    ['viewer', 'scanning/workflows/:workflow', /^Only admins of the organization/],
    ['member', 'scanning/organization/api-keys?new=true', /^Only admins of the organization/],
    ['viewer', 'scanning/scans?import=true', /^Only members and admins of the organization may import reports/],
    ['viewer', 'scanning/integrations?new=true', /^Only admins of the organization may/],
    ['member', 'scanning/integrations?new=true', /^Only admins of the organization may/],
    ['member', 'scanning/organization/members?invite=true', /^Only admins of the organization may/],
  ] as const)('tells a %s why %s is not theirs', async (role, path, sentence) => {
    const { page } = as[role];
    await as[role].at('account');
    await as[role].at(addressOf(path));
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it("leaves no error on anybody's page", () => {
    expect(Object.values(as).flatMap((one) => one.faults())).toEqual([]);
  });
});
