import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Account, insertUser, signUpAdmin } from '../support/accounts.js';
import { checkout } from '../support/checkout.js';
import { fillCart, insertProduct } from '../support/goods.js';
import { giveUpJob } from '../support/operation-traces.js';
import { shellBlocks } from '../support/readme.js';
import { until } from '../support/receiver.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const run = promisify(execFile);

let app: TestApp;
let admin: Account;
/** The blocks of the page: the login, then one of each question. */
let blocks: string[];

beforeAll(async () => {
  app = await startTestApp({ env: { BACKUP_SCHEDULE: '0 3 * * *' } });
  admin = await signUpAdmin(app);
  blocks = await shellBlocks('docs/operator.md', 'By the API');
});
afterAll(() => app?.close());

/** What the page's commands print for a question, by its number. */
async function answerTo(question: number): Promise<string> {
  const script = `${blocks[0]}\n${blocks[question]}`
    .replace('http://127.0.0.1:3000', app.baseUrl)
    .replace('paste-it-here', admin.password)
    .replace('\\"admin\\"', `\\"${admin.username}\\"`)
    .replace('username=demo', 'username=dana');
  return (await run('bash', ['-euo', 'pipefail', '-c', script])).stdout;
}

describe("An operator's questions, asked as the page says", () => {
  it('are five, after the login', () => {
    expect(blocks).toHaveLength(6);
  });

  it('1: why an order was refused', async () => {
    const buyer = await insertUser(app, { username: 'dana' });
    await fillCart(app, buyer, [await insertProduct(app, { name: 'Linen shirt', stock: 1 })], 2);
    const { headers, body } = await checkout(app.api, buyer);
    const refusal = body as unknown as { detail: string; code: string };
    const id = headers.get('x-request-id') ?? '';
    await until(async () => (await answerTo(1)).includes(id), 'the request in the list');
    const answer = await answerTo(1);
    expect(answer).toContain(refusal.code);
    expect(answer).toContain(JSON.stringify(refusal.detail));
  });

  it('2: why it is slow', async () => {
    await app.database.rows(
      `INSERT INTO noted_requests (id, created_at, request_id, method, url, route, status, milliseconds)
       VALUES (gen_random_uuid(), now(), 'slow-one', 'GET', '/api/v1/products/', '/api/v1/products', 200, 1800)`,
    );
    const answer = await answerTo(2);
    expect(answer).toContain('"request_id":"slow-one"');
    expect(answer).toMatch(/^"slow_statements":\[/m);
  });

  it('3: which webhook fails', async () => {
    const json = { url: 'https://erp.example.com/hooks', events: ['order.placed'] };
    await app.api.post('/api/v1/admin/webhooks', { token: admin.token, json });
    await app.database.rows("UPDATE store_webhooks SET failing_since = now() - interval '2 hours'");
    const [failing = '', webhooks = ''] = (await answerTo(3)).split('\n');
    expect(failing).toMatch(/^"failing_receivers":\[\{.*"url":"https:\/\/erp\.example\.com\/hooks".*\]$/);
    expect(webhooks).toContain('https://erp.example.com/hooks');
  });

  it('4: whether the queue is behind', async () => {
    await giveUpJob(app, 'printing');
    const [queues = '', health = ''] = (await answerTo(4)).split('\n');
    expect(queues).toMatch(/^"queues":\[.*"task":"printing".*"failed":1.*\]$/);
    expect(health).toMatch(/"jobs":"\w+"/);
  });

  it('5: when the last backup was', async () => {
    await app.database.rows(
      `INSERT INTO backups (id, begun_at, ended_at, outcome, name)
       VALUES (gen_random_uuid(), '2026-11-28T03:15:00Z', '2026-11-28T03:16:00Z', 'kept', 'store-of-a-night.backup')`,
    );
    const answer = await answerTo(5);
    expect(answer).toMatch(/^"backups":\[.*"begun_at":"2026-11-28T03:15:00.000Z".*"name":"store-of-a-night\.backup"/);
  });
});
