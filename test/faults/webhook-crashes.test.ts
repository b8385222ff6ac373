import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { HeldTransaction } from '../support/held-transaction.js';
import { type JobNode, JobNodes } from '../support/job-node.js';
import { until } from '../support/receiver.js';
import { workflowScene } from '../support/workflow-scene.js';

const env = { EGRESS_ALLOW: '127.0.0.1' };
const secret = `whsec_${randomBytes(32).toString('base64')}`;

// Before the scene ends, whose database they use.
afterAll(() => nodes.run(0));
const scene = workflowScene({ env });
const nodes = new JobNodes(scene, env);
afterEach(() => nodes.resume());

describe('kill -9', () => {
  it('between a change and its delivery loses nothing', async () => {
    const { id } = await scene.calls.make(scene.receiver.url, { trigger: { type: 'NEW_ISSUE' } });
    const issueId = await scene.things.issue(await scene.things.asset());
    await nodes.run(0);
    await scene.things.trigger('NEW_ISSUE', issueId);
    await nodes.run(1);
    await scene.calls.deliveryThatIs(id, 'DELIVERED');
    expect(String(scene.receiver.received[0]?.bytes)).toContain(issueId);
    expect(await scene.calls.runs(id)).toHaveLength(1);
  });

  it('while a payload is gathered leaves one run and one delivery', async () => {
    await nodes.run(0);
    const { id } = await scene.calls.make(scene.receiver.url);
    const runId = await scene.calls.run(id);
    const held = await HeldTransaction.open(
      scene.service.database,
      'SELECT FROM workflow_runs WHERE id = $1 FOR UPDATE',
      [runId],
    );
    const node = await nodes.start();
    await held.blocks(1);
    await nodes.kill(node);
    await held.commit();
    await nodes.run(1);
    await scene.calls.deliveryThatIs(id, 'DELIVERED');
    expect(await scene.calls.runs(id)).toMatchObject([{ status: 'SENT' }]);
    expect(scene.receiver.received).toHaveLength(1);
  });

  it('in the middle of a delivery causes it to be sent again, with the same id and bytes', async () => {
    const [node] = (await nodes.run(1)) as [JobNode];
    const { id } = await scene.calls.make(scene.receiver.url, { parameters: { secret } });
    scene.receiver.answer = () => undefined;
    await scene.calls.run(id);
    const [first] = await scene.receiver.has(1);
    await nodes.kill(node);
    scene.receiver.answer = (response) => response.end();
    await nodes.run(1);
    const { id: deliveryId, attempts } = await scene.calls.deliveryThatIs(id, 'DELIVERED');
    expect(attempts).toMatchObject([
      { number: 1, statusCode: null, error: expect.stringContaining('middle') },
      { number: 2, statusCode: 200 },
    ]);
    const [, second, ...more] = scene.receiver.received;
    expect(more).toEqual([]);
    expect(second?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect([first, second].map((request) => request?.headers['webhook-id'])).toEqual([deliveryId, deliveryId]);
  });
});

describe('A node that is slow', () => {
  it('keeps its jobs in hand, however long it is held up', async () => {
    const [slow] = (await nodes.run(1)) as [JobNode];
    const { id } = await scene.calls.make(scene.receiver.url);
    scene.receiver.answer = () => undefined;
    await scene.calls.run(id);
    await scene.receiver.has(1);
    slow.signal('SIGSTOP');
    await nodes.run(2);
    // A dead one's jobs are freed 10 s after the first look that misses it, and the looks are 5 s apart.
    await sleep(20_000);
    expect(scene.receiver.received).toHaveLength(1);
    scene.receiver.answer = (response) => response.end();
    slow.signal('SIGCONT');
    await scene.calls.deliveryThatIs(id, 'DELIVERED');
  });
});

describe('A node that stops', () => {
  it('hands back its jobs, and another node sends them', async () => {
    const [node, other] = (await nodes.run(2)) as [JobNode, JobNode];
    const { id } = await scene.calls.make(scene.receiver.url);
    scene.receiver.answer = () => undefined;
    other.signal('SIGSTOP');
    await scene.calls.run(id);
    await scene.receiver.has(1);
    other.signal('SIGCONT');
    scene.receiver.answer = (response) => response.end();
    await nodes.stop(node);
    const { attempts } = await scene.calls.deliveryThatIs(id, 'DELIVERED');
    // Where another node takes long to start, the first one gives up its attempt before it stops.
    const statuses = attempts.map(({ statusCode }) => statusCode);
    expect([statuses.at(-1), new Set(statuses.slice(0, -1))]).toEqual([200, new Set([null])]);
  });
});

describe('Two nodes', () => {
  it('make one run of a schedule, and send nothing twice', async () => {
    await nodes.run(2);
    const workflows = await Promise.all(
      Array.from({ length: 20 }, () =>
        scene.calls.make(scene.receiver.url, {
          trigger: { type: 'SCHEDULE', cron: '0 0 1 1 *' },
          parameters: { secret },
        }),
      ),
    );
    await scene.service.database.rows(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key LIKE 'workflow-schedule:%'`,
    );
    await scene.receiver.has(20);
    await sleep(1_500);
    const sent = scene.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent).toHaveLength(20);
    for (const { id } of workflows) expect(await scene.calls.runs(id)).toHaveLength(1);
  });

  it('send each of many deliveries once', async () => {
    await nodes.run(2);
    const { id } = await scene.calls.make(scene.receiver.url, { parameters: { secret } });
    scene.receiver.answer = (response) => void setTimeout(() => response.end(), 5);
    await Promise.all(Array.from({ length: 100 }, () => scene.calls.run(id)));
    await scene.receiver.has(100);
    await until(async () => (await scene.calls.deliveries(id)).every(({ status }) => status === 'DELIVERED'));
    await sleep(500);
    const sent = scene.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(sent).size).toBe(100);
    expect(sent).toHaveLength(100);
  });
});
