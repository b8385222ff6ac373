import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DigestsService } from '../../../src/scanning/workflows/digests.service.js';
import { WorkflowTroublesService } from '../../../src/scanning/workflows/workflow-troubles.service.js';
import { allMailsSent, type MailServer, startMailServer } from '../../support/mail-server.js';
import { until } from '../../support/receiver.js';
import { workflowScene } from '../../support/workflow-scene.js';

let server: MailServer;
// The mail server's address joins these before the service starts.
const env: Record<string, string> = { WEBHOOK_RETRY_SECONDS: '0.1' };
beforeAll(async () => {
  server = await startMailServer();
  Object.assign(env, server.env);
});
afterAll(() => server.close());

const scene = workflowScene({ env, jobs: true });

const mailsAbout = (words: string) => server.mails.filter(({ subject }) => subject.includes(words)).length;

describe('The admins of an organization', () => {
  it('are told once that deliveries are given up, and once that they arrive again', async () => {
    scene.receiver.answer = (response) => response.writeHead(500).end();
    const { id } = await scene.calls.make(scene.receiver.url, { name: 'Failing one' });
    for (let run = 1; run <= 2; run++) {
      await scene.calls.run(id);
      await until(
        async () => (await scene.calls.deliveries(id)).filter((one) => one.status === 'EXHAUSTED').length >= run,
      );
    }
    await allMailsSent(scene.service);
    expect(mailsAbout('“Failing one” does not work')).toBe(1);
    expect(mailsAbout('“Failing one” works again')).toBe(0);
    scene.receiver.answer = (response) => response.end('ok');
    for (let run = 1; run <= 2; run++) {
      await scene.calls.run(id);
      await scene.calls.deliveryThatIs(id, 'DELIVERED');
    }
    await allMailsSent(scene.service);
    expect(mailsAbout('“Failing one” works again')).toBe(1);
  });

  it('are told once where two nodes notice it at the same time', async () => {
    const { id } = await scene.calls.make(scene.receiver.url, { name: 'Racing one' });
    const other = await scene.service.anotherNode();
    const nodes = [scene.service.nest, other.nest].map((nest) => nest.get(WorkflowTroublesService, { strict: false }));
    await Promise.all(nodes.flatMap((node) => [node.begin(id, 'It failed'), node.begin(id, 'It failed')]));
    await allMailsSent(scene.service);
    expect(mailsAbout('“Racing one” does not work')).toBe(1);
    await Promise.all(nodes.map((node) => node.end(id)));
    await allMailsSent(scene.service);
    expect(mailsAbout('“Racing one” works again')).toBe(1);
  });

  it('are told that a run failed, and why', async () => {
    const { id } = await scene.calls.make(scene.receiver.url, { name: 'Disabled one' });
    const { actions } = await scene.calls.get(id);
    await scene.calls.patch(id, { actions: actions.map((action) => ({ ...action, enabled: false })) });
    await scene.calls.run(id);
    await until(() => mailsAbout('“Disabled one” does not work') === 1, 'the mail');
    expect(server.mails.at(-1)?.text).toContain('All actions of the workflow are disabled');
  });
});

describe('A digest', () => {
  const action = (digest: string | null) => ({
    type: 'NOTIFY',
    integrationKind: 'SLACK',
    digest,
    parameters: { url: scene.receiver.url },
  });

  it('gathers what events bring, and is sent once, on two nodes', async () => {
    const made = await scene.calls.make(scene.receiver.url, {
      trigger: { type: 'NEW_ISSUE' },
      actions: [action('daily')],
    });
    const asset = await scene.things.asset();
    for (let run = 1; run <= 3; run++) {
      await scene.things.trigger('NEW_ISSUE', await scene.things.issue(asset));
      await scene.calls.settledRuns(made.id, run);
    }
    expect((await scene.calls.runs(made.id)).map(({ reason }) => reason)).toEqual(
      Array.from({ length: 3 }, () => 'Gathered for the daily digest'),
    );
    expect(scene.receiver.received).toEqual([]);
    const other = await scene.service.anotherNode();
    const actionId = made.actions[0]?.id ?? '';
    const nodes = [scene.service.nest, other.nest].map((nest) => nest.get(DigestsService, { strict: false }));
    await Promise.all(nodes.map((node) => node.flush(actionId)));
    const body = await scene.receiver.payload<{ text: string }>(0);
    expect(body.text).toBe('3 new issues: 3 high');
    await scene.calls.deliveryThatIs(made.id, 'DELIVERED');
    await nodes[0]?.flush(actionId);
    expect(await scene.calls.runs(made.id)).toHaveLength(4);
    expect(scene.receiver.received).toHaveLength(1);
  });

  it('is refused for an export, and for a trigger without events', async () => {
    const places = await scene.calls.refusedPlaces(scene.receiver.url, { actions: [action('daily')] });
    expect(places).toEqual([['body', 'actions', 0, 'digest']]);
  });
});
