import { afterAll, describe, expect, it } from '@jest/globals';
import { HeldTransaction } from '../support/held-transaction.js';
import { type JobNode, JobNodes } from '../support/job-node.js';
import { workflowScene } from '../support/workflow-scene.js';

const env = { EGRESS_ALLOW: '127.0.0.1' };

// Before the scene ends, whose database they use.
afterAll(() => nodes.run(0));
const scene = workflowScene({ env });
const nodes = new JobNodes(scene, env);

/** A workflow that tells a chat of new issues, once a day. */
async function digesting(): Promise<{ id: string; actionId: string }> {
  const { id, actions } = await scene.calls.make(scene.receiver.url, {
    trigger: { type: 'NEW_ISSUE' },
    actions: [{ type: 'NOTIFY', integrationKind: 'SLACK', digest: 'daily', parameters: { url: scene.receiver.url } }],
  });
  return { id, actionId: actions[0]?.id ?? '' };
}

async function newIssues(count: number): Promise<void> {
  const asset = await scene.things.asset();
  for (let n = 0; n < count; n++) await scene.things.trigger('NEW_ISSUE', await scene.things.issue(asset));
}

/** The digest, due now rather than tomorrow. */
async function dueNow(actionId: string): Promise<void> {
  const sql = 'UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = $1';
  await scene.service.database.rows(sql, [`workflow-digest:${actionId}`]);
}

async function gathered(actionId: string): Promise<number> {
  const sql = 'SELECT count(*)::integer AS count FROM workflow_gatherings WHERE action_id = $1';
  return (await scene.service.database.rows<{ count: number }>(sql, [actionId]))[0]?.count ?? 0;
}

async function told(index: number): Promise<string> {
  return (await scene.receiver.payload<{ text: string }>(index)).text;
}

describe('kill -9 of a node', () => {
  it('while it gathers for a digest loses nothing and gathers nothing twice', async () => {
    await nodes.run(0);
    const { id, actionId } = await digesting();
    await newIssues(2);
    const held = await HeldTransaction.open(scene.service.database, 'LOCK TABLE workflow_gatherings IN SHARE MODE');
    const killed = await nodes.start();
    await held.blocks(1);
    await nodes.kill(killed);
    await held.commit();
    await nodes.run(1);
    await scene.calls.settledRuns(id, 2);
    expect(await gathered(actionId)).toBe(2);
    await dueNow(actionId);
    expect(await told(0)).toBe('2 new issues: 2 high');
    await scene.calls.deliveryThatIs(id, 'DELIVERED');
    expect([await gathered(actionId), scene.receiver.received.length]).toEqual([0, 1]);
  });

  it('between the gathering and the digest, and while it makes the digest, sends one digest with all', async () => {
    const { id, actionId } = await digesting();
    await newIssues(3);
    const [gathering] = (await nodes.run(1)) as [JobNode];
    await scene.calls.settledRuns(id, 3);
    await nodes.kill(gathering);
    await dueNow(actionId);
    const held = await HeldTransaction.open(
      scene.service.database,
      'SELECT FROM workflow_gatherings WHERE action_id = $1 FOR UPDATE',
      [actionId],
    );
    const making = await nodes.start();
    await held.blocks(1);
    await nodes.kill(making);
    await held.commit();
    await nodes.run(1);
    expect(await told(0)).toBe('3 new issues: 3 high');
    await scene.calls.deliveryThatIs(id, 'DELIVERED');
    expect(await scene.calls.runs(id)).toHaveLength(4);
    expect([await gathered(actionId), scene.receiver.received.length]).toEqual([0, 1]);
  });

  it('amid the sending sends the same digest again, and only one', async () => {
    const { id, actionId } = await digesting();
    await newIssues(1);
    const [first] = (await nodes.run(1)) as [JobNode];
    await scene.calls.settledRuns(id, 1);
    scene.receiver.answer = () => undefined;
    await dueNow(actionId);
    const [cut] = await scene.receiver.has(1);
    await nodes.kill(first);
    scene.receiver.answer = (response) => response.end();
    await nodes.run(1);
    const { attempts } = await scene.calls.deliveryThatIs(id, 'DELIVERED');
    expect(attempts).toMatchObject([{ statusCode: null }, { statusCode: 200 }]);
    const [, again, ...more] = scene.receiver.received;
    expect(more).toEqual([]);
    expect(again?.bytes.equals(cut?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(await scene.calls.deliveries(id)).toHaveLength(1);
  });
});
