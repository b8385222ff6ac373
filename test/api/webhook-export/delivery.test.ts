import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { AxiosHeaders } from 'axios';
import { startReceiver, until } from '../../support/receiver.js';
import { workflowScene } from '../../support/workflow-scene.js';

const secret = `whsec_${randomBytes(32).toString('base64')}`;

const scene = workflowScene({ env: { WEBHOOK_RETRY_SECONDS: '0.1,0.1' }, jobs: true });

describe('A delivery', () => {
  it('is one POST with the default Content-Type and no other header', async () => {
    const id = await scene.runOnce();
    const delivery = await scene.calls.deliveryThatIs(id, 'DELIVERED');
    const [run] = await scene.calls.runs(id);
    expect(run?.deliveries).toEqual([{ id: delivery.id, status: 'DELIVERED' }]);
    const [request, ...more] = scene.receiver.received;
    expect(more).toEqual([]);
    expect(request?.method).toBe('POST');
    expect(request?.path).toBe('/hook');
    expect(request?.headers).toEqual({
      'content-type': 'application/json',
      'content-length': String(request?.bytes.length),
      host: new URL(scene.receiver.url).host,
      connection: 'close',
    });
    expect(delivery.payloadBytes).toBe(request?.bytes.length);
  });

  it('carries the headers of the action, which override the default in any case', async () => {
    await scene.runOnce({
      headers: [
        { name: 'Authorization', value: 'Bearer abc' },
        { name: 'CONTENT-TYPE', value: 'application/vnd.acme+json' },
        { name: 'X-Empty', value: '' },
        { name: 'X-Latin', value: 'Grüße' },
      ],
    });
    const [request] = await scene.receiver.has(1);
    expect(request?.rawHeaders.slice(0, 8)).toEqual([
      'Authorization',
      'Bearer abc',
      'CONTENT-TYPE',
      'application/vnd.acme+json',
      'X-Empty',
      '',
      'X-Latin',
      'Grüße',
    ]);
    expect(request?.headers['content-type']).toBe('application/vnd.acme+json');
  });

  it('carries headers with the names of the HTTP client’s own methods', async () => {
    const taken = [
      'set',
      'get',
      'has',
      'delete',
      'clear',
      'concat',
      'normalize',
      'toJSON',
      'getContentType',
      'setAccept',
    ];
    expect(taken.filter((name) => name in AxiosHeaders.prototype)).toEqual(taken);
    await scene.runOnce({ headers: taken.map((name) => ({ name, value: `of ${name}` })) });
    const [request] = await scene.receiver.has(1);
    for (const name of taken) expect(request?.headers[name.toLowerCase()]).toBe(`of ${name}`);
    expect(request?.headers['content-type']).toBe('application/json');
  });

  it('is signed by Standard Webhooks when the action has a secret', async () => {
    const id = await scene.runOnce({ secret });
    const delivery = await scene.calls.deliveryThatIs(id, 'DELIVERED');
    const [request] = scene.receiver.received;
    const {
      'webhook-id': webhookId,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    } = request?.headers ?? {};
    expect(webhookId).toBe(delivery.id);
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(10);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const mac = createHmac('sha256', key)
      .update(`${delivery.id}.${String(timestamp)}.`)
      .update(request?.bytes ?? '');
    expect(signature).toBe(`v1,${mac.digest('base64')}`);
  });

  it('is logged with status, time and response', async () => {
    scene.receiver.answer = (response) => {
      response.statusCode = 201;
      response.end('created\0it');
    };
    const { attempts, nextAttemptAt, url } = await scene.calls.deliveryThatIs(await scene.runOnce(), 'DELIVERED');
    expect(attempts).toEqual([
      {
        number: 1,
        startedAt: expect.stringMatching(/Z$/),
        durationMs: expect.any(Number),
        statusCode: 201,
        error: null,
        response: 'created\ufffdit',
      },
    ]);
    expect(nextAttemptAt).toBeNull();
    expect(url).toBe(scene.receiver.url);
  });

  it('keeps at most 20,000 bytes of the response', async () => {
    scene.receiver.answer = (response) => response.end('ü'.repeat(30_000));
    const { attempts } = await scene.calls.deliveryThatIs(await scene.runOnce(), 'DELIVERED');
    expect(attempts[0]?.response).toBe('ü'.repeat(10_000));
  });

  it.each([200, 201, 202, 204, 299])('succeeds when the receiver responds with %i', async (status) => {
    scene.receiver.answerWith(status);
    const { attempts } = await scene.calls.deliveryThatIs(await scene.runOnce(), 'DELIVERED');
    expect(attempts.map(({ statusCode }) => statusCode)).toEqual([status]);
  });

  it.each([300, 304, 400, 404, 500, 503])('is retried when the receiver responds with %i', async (status) => {
    scene.receiver.answerWith(status);
    const { attempts } = await scene.calls.deliveryThatIs(await scene.runOnce(), 'DELIVERED');
    expect(attempts.map(({ statusCode }) => statusCode)).toEqual([status, 200]);
    expect(attempts[0]?.error).toContain(String(status));
  });

  it('sends the same bytes and the same id at every attempt, with a new signature', async () => {
    scene.receiver.answerWith(500, 500);
    await scene.calls.deliveryThatIs(await scene.runOnce({ secret }), 'DELIVERED');
    const [first, second, third] = scene.receiver.received;
    expect(second?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(third?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(scene.receiver.received).toHaveLength(3);
  });

  it('makes one attempt more than there are waits, and is then exhausted', async () => {
    scene.receiver.answerWith(500, 500, 500, 200);
    const { attempts, nextAttemptAt } = await scene.calls.deliveryThatIs(await scene.runOnce(), 'EXHAUSTED');
    expect(attempts.map(({ number, statusCode }) => [number, statusCode])).toEqual([
      [1, 500],
      [2, 500],
      [3, 500],
    ]);
    expect(nextAttemptAt).toBeNull();
  });

  it('does not follow a redirect', async () => {
    const elsewhere = await startReceiver();
    scene.receiver.answer = (response) => {
      response.writeHead(302, { location: elsewhere.url });
      response.end();
    };
    const { attempts } = await scene.calls.deliveryThatIs(await scene.runOnce(), 'EXHAUSTED');
    expect(attempts[0]).toMatchObject({
      statusCode: 302,
      error: expect.stringContaining('redirects are not followed'),
    });
    expect(elsewhere.received).toEqual([]);
    await elsewhere.close();
  });

  it('waits as long as Retry-After says when that is longer', async () => {
    scene.receiver.answer = (response) => {
      response.writeHead(503, { 'retry-after': '3600' });
      response.end();
    };
    const { attempts, nextAttemptAt } = await scene.calls.deliveryThatIs(await scene.runOnce(), 'RETRYING');
    const waitSeconds = (Date.parse(String(nextAttemptAt)) - Date.parse(String(attempts[0]?.startedAt))) / 1000;
    expect(waitSeconds).toBeGreaterThanOrEqual(3_600);
    expect(waitSeconds).toBeLessThan(3_610);
  });

  it('uses the current address, headers and secret for a retry', async () => {
    const later = await startReceiver();
    scene.receiver.answer = (response) => {
      response.writeHead(503, { 'retry-after': '2' });
      response.end();
    };
    const { id } = await scene.calls.make(scene.receiver.url);
    await scene.calls.run(id);
    await scene.calls.deliveryThatIs(id, 'RETRYING');
    const [action] = (await scene.calls.get(id)).actions;
    const parameters = { url: later.url, headers: [{ name: 'X-New', value: 'yes' }] };
    const actions = [{ id: action?.id, type: 'EXPORT', integrationKind: 'WEBHOOK', parameters }];
    expect((await scene.calls.patch(id, { actions })).status).toBe(200);
    const delivery = await scene.calls.deliveryThatIs(id, 'DELIVERED');
    expect(later.received[0]?.headers['x-new']).toBe('yes');
    expect(delivery.url).toBe(later.url);
    await later.close();
  });

  it('disables the action at once when the receiver responds with 410, until it is enabled again', async () => {
    scene.receiver.answerWith(410);
    const id = await scene.runOnce();
    const { attempts } = await scene.calls.deliveryThatIs(id, 'EXHAUSTED');
    expect(attempts).toHaveLength(1);
    const workflow = await scene.calls.get(id);
    expect(workflow.actions[0]).toMatchObject({ enabled: false, disabledReason: expect.stringContaining('410') });
    await scene.calls.run(id);
    const [run] = await scene.calls.settledRuns(id, 2);
    expect(run).toMatchObject({ status: 'FAILED', reason: expect.stringContaining('disabled') });
    const { body } = await scene.calls.patch(id, {
      actions: workflow.actions.map((action) => ({ ...action, enabled: true })),
    });
    expect(body.actions[0]).toMatchObject({ enabled: true, disabledReason: null });
    await scene.calls.run(id);
    await scene.calls.deliveryThatIs(id, 'DELIVERED');
  });

  it('disables the action after five days of failures without a success', async () => {
    scene.receiver.answerWith(500, 200, 500, 500, 500);
    const id = await scene.runOnce();
    await scene.calls.deliveryThatIs(id, 'DELIVERED');
    await scene.calls.run(id);
    await scene.calls.deliveryThatIs(id, 'EXHAUSTED');
    expect((await scene.calls.get(id)).actions[0]?.enabled).toBe(true);
    await scene.service.database.rows(
      `UPDATE workflow_actions SET failing_since = failing_since - interval '5 days' WHERE workflow_id = $1`,
      [id],
    );
    scene.receiver.answerWith(500);
    await scene.calls.run(id);
    await until(async () => (await scene.calls.get(id)).actions[0]?.enabled === false);
    expect((await scene.calls.get(id)).actions[0]).toMatchObject({
      disabledReason: expect.stringContaining('five days'),
    });
  });

  it('is cancelled when its workflow is deleted, and cannot be replayed', async () => {
    scene.receiver.answer = (response) => {
      response.writeHead(503, { 'retry-after': '1' });
      response.end();
    };
    const id = await scene.runOnce();
    const { id: deliveryId } = await scene.calls.deliveryThatIs(id, 'RETRYING');
    expect((await scene.calls.remove(id)).status).toBe(204);
    expect(await scene.calls.delivery(deliveryId)).toMatchObject({ status: 'CANCELED', nextAttemptAt: null });
    expect((await scene.calls.replay(deliveryId)).status).toBe(404);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(scene.receiver.received).toHaveLength(1);
  });

  it('is cancelled when its action is left out of an update', async () => {
    scene.receiver.answer = (response) => {
      response.writeHead(503, { 'retry-after': '600' });
      response.end();
    };
    const { id } = await scene.calls.make(scene.receiver.url, {
      actions: [1, 2].map(() => ({
        type: 'EXPORT',
        integrationKind: 'WEBHOOK',
        parameters: { url: scene.receiver.url },
      })),
    });
    await scene.calls.run(id);
    await scene.receiver.has(2);
    const { actions } = await scene.calls.get(id);
    await scene.calls.patch(id, { actions: actions.slice(1) });
    const statuses = (await scene.calls.deliveries(id)).map(({ status }) => status);
    expect(statuses.sort()).toEqual(['CANCELED', 'RETRYING']);
  });
});

describe('A stored delivery', () => {
  it('contains no payload, address, header value or secret in clear', async () => {
    const id = await scene.runOnce({ secret, headers: [{ name: 'X-Token', value: 'very-hidden-token' }] });
    await scene.calls.deliveryThatIs(id, 'DELIVERED');
    const rows = await scene.service.database.rows(
      `WITH p AS MATERIALIZED (SELECT * FROM workflow_run_payloads)
       SELECT to_jsonb(a) AS row FROM workflow_actions a WHERE workflow_id = $1
       UNION ALL SELECT to_jsonb(d) FROM webhook_deliveries d WHERE workflow_id = $1
       UNION ALL SELECT to_jsonb(p) || jsonb_build_object('text', encode(p.sealed, 'escape'))
                   FROM p JOIN workflow_runs r ON r.id = p.run_id WHERE r.workflow_id = $1`,
      [id],
    );
    const kept = JSON.stringify(rows);
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const text of ['very-hidden-token', secret.slice(6), '/hook', '"issues"']) expect(kept).not.toContain(text);
  });
});
