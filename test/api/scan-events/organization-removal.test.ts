import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrganizationRemovals } from '../../../src/platform/removal-steps.js';
import { UnitOfWork } from '../../../src/database/unit-of-work.js';
import { EventCalls, newEvent } from '../../support/events.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { insertOrganization } from '../../support/organizations.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function fill(): Promise<Scanning> {
  const scanning = new Scanning(app, await insertOrganization(app));
  const asset = await scanning.asset();
  const scan = await scanning.scan({ assetIds: [asset.id], locationId: (await scanning.location()).id });
  const targets = [{ targetUid: 'a', codeFile: { language: 'ts', path: 'a.ts' } }];
  await new IssueCalls(app, scanning.token).one(scan.id, finding(asset.id, { targets }));
  const events = new EventCalls(app, scanning.token);
  await events.arrivals('');
  await events.appended(scan.id, newEvent());
  return scanning;
}

describe('An organization that is removed', () => {
  it('loses its scans, issues and events, and others lose nothing', async () => {
    const [gone, kept] = [await fill(), await fill()];
    const { id } = gone.organization;
    await app.nest.get(UnitOfWork).run(() => app.nest.get(OrganizationRemovals).run([id]));
    await app.database.rows('DELETE FROM organizations WHERE id = $1', [id]);
    for (const table of ['scans', 'issues', 'scan_events', 'event_batches', 'event_positions']) {
      const rows = await app.database.rows<{ organization_id: string }>(`SELECT organization_id FROM ${table}`);
      expect([...new Set(rows.map((row) => row.organization_id))]).toEqual([kept.organization.id]);
    }
  });
});
