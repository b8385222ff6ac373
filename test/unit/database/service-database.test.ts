import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../../src/config/settings.js';
import { openServiceDatabase } from '../../../src/database/service-database.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

let database: TestDatabase;
let way: TcpProxy;
beforeAll(async () => {
  database = await createTestDatabase();
  way = await startTcpProxy(Number(new URL(database.url).port));
});
afterAll(async () => {
  await way.cut();
  await database.drop();
});

function databaseAt(change: (url: URL) => void): string {
  const url = new URL(database.url);
  url.port = String(way.port);
  change(url);
  return url.href;
}

describe('The database of DATABASE_URL', () => {
  const lines: string[] = [];
  const log = { debug: () => undefined, warn: (line: string) => lines.push(line) };
  const open = (url: string) => openServiceDatabase(loadSettings({ DATABASE_URL: url }), log);

  it('is refused at once with the reason where waiting does not help', async () => {
    const url = databaseAt((place) => (place.password = 'wrong'));
    const refusal = /^The database [\d.:]+\/test_\w+ cannot be used: password authentication failed for user "store"$/;
    await expect(open(url)).rejects.toThrow(refusal);
    expect(lines).toEqual([]);
  });

  it('is awaited while it is away, and the reason said once', async () => {
    await way.cut();
    const opening = open(databaseAt(() => undefined));
    setTimeout(() => void way.mend(), 1_500);
    const { description } = await opening;
    expect(description).toMatch(new RegExp(`^127\\.0\\.0\\.1:${way.port}/test_\\w+ \\(DATABASE_URL\\)$`));
    expect(lines).toEqual([
      expect.stringMatching(
        /^The database 127\.0\.0\.1:\d+\/test_\w+ cannot be reached yet \(connect ECONNREFUSED 127\.0\.0\.1:\d+\): trying again for half a minute$/,
      ),
    ]);
  });
});
