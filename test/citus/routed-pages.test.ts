import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { uuidV7 } from '../../src/platform/crypto/uuid-v7.js';
import type { EventFilters } from '../../src/scanning/scan-events/event-filters.js';
import { routedPageStatement } from '../../src/scanning/scan-events/routed-page.statements.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let client: Client;
const notices: (string | undefined)[] = [];
beforeAll(async () => {
  app = await startTestApp();
  client = new Client({ connectionString: app.database.url });
  await client.connect();
  client.on('notice', ({ message }) => notices.push(message));
});
afterAll(async () => {
  await client.end();
  await app.close();
});

describe('A page of events', () => {
  const first = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
  const next = [new Date(), uuidV7()];
  const filters: EventFilters[] = [
    {},
    { since: new Date() },
    { scanIds: [uuidV7()] },
    { profileIds: [uuidV7()] },
    { hasAttachments: true },
    { attachments: ['EXCHANGE'] },
  ];

  it.each(filters)('is passed on by the coordinator without a plan of its own: %j', async (asked) => {
    for (const after of [first, next]) {
      const page = routedPageStatement(uuidV7(), after, 51, asked);
      if (!page || typeof page.sql === 'string') throw new Error('There is no such statement');
      notices.length = 0;
      await client.query('SET client_min_messages = debug2');
      await client.query(page.sql.text, page.values);
      await client.query('RESET client_min_messages');
      expect(notices).toContainEqual(expect.stringContaining('fast-path router query'));
    }
  });
});
