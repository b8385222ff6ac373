import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type JobNode, startJobNode } from '../support/job-node.js';
import { workflowScene } from '../support/workflow-scene.js';

const env = { EGRESS_ALLOW: '127.0.0.1' };
const mebibyte = 1024 * 1024;

let node: JobNode;
// Registered first, so that it runs before the scene ends.
afterAll(() => node.stop());
const scene = workflowScene({ env });
/** Each issue of a payload has this name once. */
const name = '"alertUid"';
const arrived: { bytes: number; digest: string; end: string; issues: number }[] = [];
const server = createServer((request, response) => {
  const hash = createHash('sha256');
  let [bytes, end, issues] = [0, '', 0];
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    // A name that two chunks share is counted with the second: what is kept of the first is too short for a whole one.
    const text = end.slice(1 - name.length) + chunk.toString('latin1');
    issues += text.split(name).length - 1;
    end = (end + chunk.toString('latin1')).slice(-40);
    hash.update(chunk);
  });
  request.on('end', () => {
    arrived.push({ bytes, digest: hash.digest('hex'), end, issues });
    response.end();
  });
});
let url: string;

beforeAll(async () => {
  node = await startJobNode(scene.service, env);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
beforeEach(() => {
  arrived.length = 0;
});
afterAll(() => void server.close());

/** Issues of one asset and scan, each with this many bytes of context, two targets and two events. */
async function insertIssues(count: number, contextBytes: number): Promise<void> {
  const profileId = await scene.things.profile();
  const assetId = await scene.things.asset();
  const scanId = await scene.things.scan(profileId, {}, [assetId]);
  await scene.things.event(scanId, profileId);
  const values = [scene.organization.id, assetId, scanId, profileId, count, contextBytes];
  await scene.service.database.rows(
    `WITH made AS (
       INSERT INTO issues (id, organization_id, asset_id, name, full_name, severity, category, status, context, alert_uid,
                           security_test_uid, identity, scan_id)
       SELECT gen_random_uuid(), $1, $2, 'Issue ' || n, 'Issue ' || n, 'HIGH', 'INJECTION', 'OPEN', repeat('x', $6), n, n,
              n, $3
         FROM generate_series(1, $5::integer) n RETURNING id
     ), targets AS (
       INSERT INTO issue_targets (id, issue_id, target_uid, scan_id, detail)
       SELECT gen_random_uuid(), id, n, $3,
              jsonb_build_object('webPage', jsonb_build_object('id', id, 'url', 'https://example.com/' || n, 'visits', n))
         FROM made, generate_series(1, 2) n
     )
     INSERT INTO scan_events (id, created_at, organization_id, scan_id, profile_id, level, stage, title, description,
                              asset_ids, issue_ids, attachments, attachment_types, attachment_text)
     SELECT gen_random_uuid(), now() - n * interval '1 minute', $1, $3, $4, 'INFO', 'EXECUTION', 'Tested',
            repeat('d', 200), '{}', ARRAY[id], '[]', '{}', ''
       FROM made, generate_series(1, 2) n`,
    values,
  );
  await scene.service.database.rows('ANALYZE issues, issue_targets, scan_events');
}

async function residentBytes(field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${node.pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
}

describe('A payload', () => {
  it('of 10,000 issues takes less than 100 MB of memory to build and to send', async () => {
    await insertIssues(10_000, 1_500);
    await sleep(2_000);
    const idle = await residentBytes('VmRSS');
    await writeFile(`/proc/${node.pid}/clear_refs`, '5');
    const { id } = await scene.calls.make(url, {
      parameters: { secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
    });
    await scene.calls.run(id);
    const { payloadBytes } = await scene.calls.deliveryThatIs(id, 'DELIVERED');
    const grown = (await residentBytes('VmHWM')) - idle;
    expect(payloadBytes).toBeGreaterThan(25 * mebibyte);
    expect(arrived.map(({ bytes }) => bytes)).toEqual([payloadBytes]);
    expect(grown).toBeLessThan(100 * 1_000_000);
  });

  it('of almost 50 MiB is sent, and resent with the same bytes', async () => {
    await insertIssues(100, Math.floor(0.49 * mebibyte));
    const { id } = await scene.calls.make(url, { parameters: { resources: ['issues'] } });
    await scene.calls.run(id);
    const delivery = await scene.calls.deliveryThatIs(id, 'DELIVERED');
    expect(delivery.payloadBytes).toBeGreaterThan(48 * mebibyte);
    await scene.calls.replay(delivery.id);
    await scene.calls.deliveryThatIs(id, 'DELIVERED');
    while (arrived.length < 2) await sleep(50);
    expect(arrived[1]).toEqual(arrived[0]);
  });

  it('of more than 50 MiB goes out in numbered parts, one after the other, where the action says so', async () => {
    await insertIssues(220, Math.floor(0.49 * mebibyte));
    const { id } = await scene.calls.make(url, { parameters: { resources: ['issues'], parts: true } });
    await scene.calls.run(id);
    while (arrived.length < 3) await sleep(50);
    await scene.calls.settledRuns(id);
    expect(arrived.map(({ end }) => end.slice(end.indexOf('"part"')))).toEqual([
      '"part":1,"of":3}',
      '"part":2,"of":3}',
      '"part":3,"of":3}',
    ]);
    for (const { bytes } of arrived) expect(bytes).toBeLessThanOrEqual(50 * mebibyte);
    expect(arrived.reduce((sum, one) => sum + one.issues, 0)).toBe(220);
    const deliveries = await scene.calls.deliveries(id);
    expect(deliveries.map(({ part, of }) => [part, of]).sort(([one], [other]) => Number(one) - Number(other))).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  it.each([
    ['in all', 110, 0.49],
    ['by one issue alone', 1, 51],
  ])('of more than 50 MiB %s is not sent, and the run says why', async (_name, count, contextMebibytes) => {
    await insertIssues(count, Math.floor(contextMebibytes * mebibyte));
    const { id } = await scene.calls.make(url);
    await scene.calls.run(id);
    expect(await scene.calls.settledRuns(id)).toMatchObject([
      { status: 'FAILED', reason: expect.stringContaining('50 MiB') },
    ]);
    expect(await scene.calls.deliveries(id)).toEqual([]);
    const pieces = await scene.service.database.rows(
      'SELECT FROM workflow_run_payloads p JOIN workflow_runs r ON r.id = p.run_id WHERE r.workflow_id = $1',
      [id],
    );
    expect(pieces).toEqual([]);
  });
});
