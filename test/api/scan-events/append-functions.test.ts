import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appendFunctions } from '../../../src/database/distribution/append-functions.statements.js';
import { EventPartitionsService } from '../../../src/scanning/scan-events/event-partitions.service.js';
import { EventCalls, newEvent } from '../../support/events.js';
import { insertOrganization } from '../../support/organizations.js';
import { Imports, sarifLog, sarifResult } from '../../support/report-imports.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** The functions that `npm run distribute` makes; they do the same on one server. */
describe.each(['with', 'without'])(
  'The functions for events that are spread over servers, %s the trigger',
  (trigger) => {
    beforeAll(async () => {
      await app.database.rows(appendFunctions);
      if (trigger === 'without') await app.database.rows('DROP TRIGGER IF EXISTS scan_events_added ON scan_events');
    });

    it('append each event once, and count and log new ones', async () => {
      const acme = new Scanning(app, await insertOrganization(app));
      const events = new EventCalls(app, acme.token);
      const scanId = (await acme.scan()).id;
      const cursor = (await events.arrivals('')).nextCursor;
      const [one, two] = ['01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000002'];
      const sent = [newEvent({ id: one, level: 'ERROR' }), newEvent({ id: two }), newEvent({ title: 'now' })];
      expect(await events.appended(scanId, ...sent)).toEqual({ accepted: 3, ignored: 0 });
      expect(await events.appended(scanId, ...sent.slice(0, 2))).toEqual({ accepted: 0, ignored: 2 });
      await Promise.all(Array.from({ length: 8 }, () => events.appended(scanId, ...sent.slice(0, 2), newEvent())));
      expect(await untrue()).toEqual([]);
      const { data, more } = await events.arrivals(`after=${cursor}&size=100`);
      expect([data.length, more]).toEqual([11, false]);
      expect((await events.list('levels=ERROR')).data.map(({ id }) => id)).toEqual([one]);
    });

    it('count and log the events that an import copies, and number them for followers', async () => {
      const organization = await insertOrganization(app);
      const events = new EventCalls(app, organization.member.token);
      const cursor = (await events.arrivals('')).nextCursor;
      const results = Array.from({ length: 1_200 }, (_, at) => sarifResult(`R${at}`, `src/f${at % 50}.ts`));
      await new Imports(app.api, organization.member.token).import(sarifLog(results));
      expect(await untrue()).toEqual([]);
      let arrived = 0;
      for (let after = cursor, more = true; more;) {
        const page = await events.arrivals(`after=${after}&size=100`);
        arrived += page.data.length;
        ({ nextCursor: after, more } = page);
      }
      expect(arrived).toBe(results.length + 2);
      await app.nest.get(EventPartitionsService).mergeCounts(new Date(Date.now() + 86_400_000));
      expect(await untrue()).toEqual([]);
    });
  },
);

/** The hours of an organization whose counts differ from its events. */
function untrue(): Promise<object[]> {
  return app.database.rows(`
    SELECT * FROM (SELECT organization_id, date_bin('1 hour', created_at, '2000-01-01 00:00Z') AS hour, level, count(*) AS count
                     FROM scan_events GROUP BY 1, 2, 3) AS events
      FULL JOIN (SELECT organization_id, hour, level, sum(count) AS count FROM scan_event_counts GROUP BY 1, 2, 3) AS counts
           USING (organization_id, hour, level)
     WHERE events.count IS DISTINCT FROM counts.count`);
}
