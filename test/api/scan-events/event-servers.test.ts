import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../../../src/database/database.js';
import { EventServersRepository } from '../../../src/scanning/scan-events/event-servers.repository.js';
import { EventStreamRepository } from '../../../src/scanning/scan-events/event-stream.repository.js';
import type { ScanEventPage } from '../../../src/scanning/scan-events/scan-events.dto.js';
import { attachments, EventCalls, newEvent } from '../../support/events.js';
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

describe('Pages of distributed events', () => {
  const day = 86_400_000;
  const large = { type: 'SNIPPET', snippet: { name: 'a.sql', language: 'sql', content: 'x'.repeat(450_000) } };

  /** The pages of a list, one after another. */
  async function pagesOf(events: EventCalls, query: string): Promise<ScanEventPage[]> {
    const pages: ScanEventPage[] = [];
    for (let cursor = ''; ;) {
      const page = await events.list(`${query}${cursor}`);
      pages.push(page);
      if (page.nextCursor === null) return pages;
      cursor = `&cursor=${page.nextCursor}`;
    }
  }

  it('are those of one server, whatever the filter, and hold as many large attachments', async () => {
    const acme = new Scanning(app, await insertOrganization(app));
    const events = new EventCalls(app, acme.token);
    const scans = [await acme.scan(), await acme.scan()];
    for (const [at, { id }] of scans.entries()) {
      const own = Array.from({ length: 25 }, (_, n) => {
        const createdAt = new Date(Date.now() - (2 * n + at) * 1.5 * day).toISOString();
        const attached = [[large, large], [], [attachments.EXCHANGE], [], [attachments.SCREENSHOT]][n % 5];
        const level = n % 4 === 0 ? 'ERROR' : 'INFO';
        return newEvent({ title: `${at}.${n}`, level, createdAt, attachments: attached });
      });
      for (let from = 0; from < own.length; from += 5) await events.appended(id, ...own.slice(from, from + 5));
    }
    const [one, other] = scans.map(({ id }) => id);
    const since = new Date(Date.now() - 40 * day).toISOString();
    const filters = [
      '',
      `&since=${since}`,
      `&until=${since}`,
      `&since=${new Date(Date.now() - 3 * day).toISOString()}`,
      `&scanIds=${one}`,
      `&scanIds=${one}&since=${since}`,
      `&scanIds=${one}&scanIds=${other}`,
      `&profileIds=${scans[0]?.application.id}`,
      '&hasAttachments=true',
      '&attachments=SNIPPET',
      '&levels=ERROR',
    ];
    const queries = ['size=100', ...filters.map((filter) => `size=7${filter}`)];
    const read = async () => Promise.all(queries.map((query) => pagesOf(events, query)));
    const areSeveral = jest.spyOn(serversOf(), 'areSeveral', 'get').mockReturnValue(false);
    const pages = await read();
    areSeveral.mockReturnValue(true);
    expect(await read()).toEqual(pages);
    expect(pages[0]?.map(({ data }) => data.length)).toEqual([42, 8]);
  });
});
