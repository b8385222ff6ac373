import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HeldTransaction } from '../support/held-transaction.js';
import { type JobNode, startJobNode } from '../support/job-node.js';
import { type InsertedOrganization, insertOrganization } from '../support/organizations.js';
import { type Receiver, startReceiver, until } from '../support/receiver.js';
import { ScannedThings } from '../support/scanned-things.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WorkflowCalls } from '../support/workflows.js';

const env = { EGRESS_ALLOW: '127.0.0.1' };
const freedMs = 60_000;
const secret = `whsec_${randomBytes(32).toString('base64')}`;

let shop: TestApp;
let acme: InsertedOrganization;
let things: ScannedThings;
let calls: WorkflowCalls;
let receiver: Receiver;
const nodes: JobNode[] = [];

async function startNode(): Promise<JobNode> {
  const node = await startJobNode(shop, env);
  nodes.push(node);
  return node;
}

beforeAll(async () => {
  shop = await startTestApp({ env });
});
beforeEach(async () => {
  acme = await insertOrganization(shop);
  things = new ScannedThings(shop, acme.id);
  calls = new WorkflowCalls(shop, acme);
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});
afterAll(() => shop.close());

describe('kill -9', () => {
  it('between a change and its delivery loses nothing', async () => {
    const { id } = await calls.make(receiver.url, { trigger: { type: 'NEW_ISSUE' } });
    const issueId = await things.issue(await things.asset());
    await things.trigger('NEW_ISSUE', issueId);
    await startNode();
    await calls.deliveryThatIs(id, 'DELIVERED');
    expect(String(receiver.received[0]?.bytes)).toContain(issueId);
    expect(await calls.runs(id)).toHaveLength(1);
  });

  it('while a payload is gathered leaves one run and one delivery', async () => {
    const { id } = await calls.make(receiver.url);
    const runId = await calls.run(id);
    const held = await HeldTransaction.open(shop.database, 'SELECT FROM workflow_runs WHERE id = $1 FOR UPDATE', [
      runId,
    ]);
    const node = await startNode();
    await held.blocks(1);
    await node.kill();
    await held.commit();
    await startNode();
    await calls.deliveryThatIs(id, 'DELIVERED', freedMs);
    expect(await calls.runs(id)).toMatchObject([{ status: 'SENT' }]);
    expect(receiver.received).toHaveLength(1);
  }, 90_000);

  it('in the middle of a delivery has it sent again, with the same id and bytes', async () => {
    const { id } = await calls.make(receiver.url, { parameters: { secret } });
    await calls.run(id);
    receiver.answer = () => undefined;
    const node = await startNode();
    const [first] = await receiver.has(1);
    await node.kill();
    receiver.answer = (response) => response.end();
    await startNode();
    const { id: deliveryId, attempts } = await calls.deliveryThatIs(id, 'DELIVERED', freedMs);
    expect(attempts).toMatchObject([
      { number: 1, statusCode: null, error: expect.stringContaining('middle') },
      { number: 2, statusCode: 200 },
    ]);
    const [, second, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(second?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect([first, second].map((request) => request?.headers['webhook-id'])).toEqual([deliveryId, deliveryId]);
  }, 90_000);
});

describe('A node that is slow', () => {
  it('keeps what it has in hand, however long it is held up', async () => {
    const { id } = await calls.make(receiver.url);
    await calls.run(id);
    receiver.answer = () => undefined;
    const slow = await startNode();
    await receiver.has(1);
    slow.signal('SIGSTOP');
    await startNode();
    await sleep(20_000);
    expect(receiver.received).toHaveLength(1);
    receiver.answer = (response) => response.end();
    slow.signal('SIGCONT');
    await calls.deliveryThatIs(id, 'DELIVERED', freedMs);
  }, 90_000);
});

describe('A node that stops', () => {
  it('gives back what it has in hand, and another node sends it', async () => {
    const { id } = await calls.make(receiver.url);
    await calls.run(id);
    receiver.answer = () => undefined;
    const node = await startNode();
    await receiver.has(1);
    await startNode();
    receiver.answer = (response) => response.end();
    await node.stop();
    const { attempts } = await calls.deliveryThatIs(id, 'DELIVERED', freedMs);
    expect(attempts.map(({ statusCode }) => statusCode)).toEqual([null, 200]);
  }, 60_000);
});

describe('Two nodes', () => {
  it('make one run of a schedule, and send nothing twice', async () => {
    await Promise.all([startNode(), startNode()]);
    const workflows = await Promise.all(
      Array.from({ length: 20 }, () =>
        calls.make(receiver.url, { trigger: { type: 'SCHEDULE', cron: '0 0 1 1 *' }, parameters: { secret } }),
      ),
    );
    await shop.database.rows(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key LIKE 'workflow-schedule:%'`,
    );
    await receiver.has(20);
    await sleep(1_500);
    const sent = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent).toHaveLength(20);
    for (const { id } of workflows) expect(await calls.runs(id)).toHaveLength(1);
  }, 60_000);

  it('send each of many deliveries once', async () => {
    await Promise.all([startNode(), startNode()]);
    const { id } = await calls.make(receiver.url, { parameters: { secret } });
    receiver.answer = (response) => void setTimeout(() => response.end(), 5);
    await Promise.all(Array.from({ length: 100 }, () => calls.run(id)));
    await receiver.has(100, 40_000);
    await until(async () => (await calls.deliveries(id)).every(({ status }) => status === 'DELIVERED'));
    await sleep(500);
    const sent = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(sent).size).toBe(100);
    expect(sent).toHaveLength(100);
  }, 60_000);
});
