import { describe, expect, it } from '@jest/globals';
import type { MailLinks } from '../../../../src/platform/mail/mail-links.js';
import type { IntegrationSecrets } from '../../../../src/scanning/integrations/integration-secrets.js';
import type {
  PayloadRowsRepository,
  RowBounds,
} from '../../../../src/scanning/webhook-export/payload-rows.repository.js';
import { PayloadRows } from '../../../../src/scanning/webhook-export/payload-rows.js';

/** Rows of one length, paged as the repository pages them; records how many each page built. */
class RowsOfLength {
  readonly built: number[] = [];

  constructor(private readonly lengthOf: (id: string) => number) {}

  async page(_organizationId: string, _root: unknown, ids: string[], { pageBytes }: RowBounds) {
    this.built.push(ids.length);
    let soFar = 0;
    return ids
      .map((id, index) => ({ ord: index + 1, json: `{${id}`.padEnd(this.lengthOf(id)) }))
      .filter(({ json, ord }) => (soFar += json.length) <= pageBytes || ord === 1);
  }
}

async function readAll(rows: RowsOfLength, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => String(n));
  const links = { to: () => 'https://scans.example.com/' } as unknown as MailLinks;
  const reader = new PayloadRows(rows as unknown as PayloadRowsRepository, {} as IntegrationSecrets, links);
  const read: string[] = [];
  for await (const page of reader.read('organization', 'default', 'issues', ids))
    read.push(...page.map((json) => json.replace('{"url":"https://scans.example.com/",', '').trim()));
  expect(read).toEqual(ids);
  return read;
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);

describe('Pages of rows of a payload', () => {
  it('are a thousand if rows are short', async () => {
    const rows = new RowsOfLength(() => 1_000);
    await readAll(rows, 3_100);
    expect(rows.built).toEqual([100, 1_000, 1_000, 1_000]);
  });

  it('are few if rows are long, so that hardly any row is built twice', async () => {
    const rows = new RowsOfLength(() => 1_000_000);
    await readAll(rows, 300);
    expect(sum(rows.built)).toBeLessThan(300 + 100);
  });

  it('are few again after short rows', async () => {
    const rows = new RowsOfLength((id) => (Number(id) < 1_000 ? 500 : 3_000_000));
    await readAll(rows, 1_200);
    expect(Math.max(...rows.built.slice(3))).toBeLessThan(10);
  });
});
