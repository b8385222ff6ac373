import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../../../src/database/database.js';
import { EventServersRepository } from '../../../src/scanning/scan-events/event-servers.repository.js';
import { EventStreamRepository } from '../../../src/scanning/scan-events/event-stream.repository.js';
import { EventCalls, newEvent } from '../../support/events.js';
import { insertOrganization } from '../../support/organizations.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => app.close());

const serversOf = () => app.nest.get(EventServersRepository, { strict: false });

/** Reads arrivals while the statement for all organizations is refused as unsupported. */
function arrivedAfterRefusal(organizationId: string) {
  const refusal = Object.assign(new Error('cached plan must not change result type'), { code: '0A000' });
  jest.spyOn(app.nest.get(Database), 'rows').mockRejectedValueOnce(refusal);
  const asked = [{ id: organizationId, position: null }];
  return app.nest.get(EventStreamRepository, { strict: false }).arrived(asked, []);
}

describe('Events on one server', () => {
  it('are not taken for distributed ones when PostgreSQL itself refuses a statement', async () => {
    const { id } = (await insertOrganization(app)) as { id: string };
    await expect(arrivedAfterRefusal(id)).rejects.toThrow('cached plan');
    expect(serversOf().areSeveral).toBe(false);
  });
});

describe('Events distributed after the start', () => {
  it('are followed organization by organization after the first refusal, and listed completely', async () => {
    const acme = new Scanning(app, await insertOrganization(app));
    const events = new EventCalls(app, acme.token);
    const scanId = (await acme.scan()).id;
    await app.database.rows('DROP TRIGGER scan_events_added ON scan_events'); // as `npm run distribute` does
    expect(await arrivedAfterRefusal(acme.organization.id)).toMatchObject([{ id: acme.organization.id }]);
    expect(serversOf().areSeveral).toBe(true);
    const day = 86_400_000;
    const created = [0, 1, 20, 40].map((days) => new Date(Date.now() - days * day).toISOString());
    await events.appended(scanId, ...created.map((createdAt) => newEvent({ createdAt, title: createdAt })));
    expect(await events.titles('size=2')).toEqual(created.slice(0, 2));
    expect(await events.titles('size=3')).toEqual(created.slice(0, 3));
    expect(await events.titles('size=10')).toEqual(created);
  });
});
