import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ResourceScan } from '../../../src/scanning/scans/scans.dto.js';
import { type ScanStatus, scanStatuses } from '../../../src/scanning/vocabulary.js';
import { insertOrganization } from '../../support/organizations.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let acme: Scanning;
let other: Scanning;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  acme = new Scanning(app, await insertOrganization(app));
  other = new Scanning(app, await insertOrganization(app));
  token = acme.token;
  await acme.listenTo('SCAN_STARTED', 'SCAN_COMPLETED', 'SCAN_FAILED');
});
afterAll(() => app.close());

const patch = (id: string, json: object, as = token) =>
  app.api.send<ResourceScan>('PATCH', `/api/v1/scans/${id}`, { token: as, json });
const cancel = (id: string, as = token) => app.api.post<ResourceScan>(`/api/v1/scans/${id}/cancel`, { token: as });
const triggersAbout = async (id: string) => (await acme.triggersAbout(id)).map(({ type }) => type);

const moves: Record<ScanStatus, ScanStatus[]> = {
  STARTING: ['STARTING', 'RUNNING', 'FAILED', 'CANCELED'],
  RUNNING: ['RUNNING', 'FINISHED', 'FAILED', 'CANCELED'],
  FINISHED: [],
  FAILED: [],
  CANCELED: [],
};

describe('PATCH /api/v1/scans/{id}', () => {
  const pairs = scanStatuses.flatMap((from) =>
    scanStatuses.map((to) => [from, to, moves[from].includes(to) ? 200 : 409] as const),
  );

  it.each(pairs)('moves %s to %s with %i', async (from, to, expected) => {
    const scan = await acme.scan({ status: from });
    const { status, body } = await patch(scan.id, { status: to });
    expect(status).toBe(expected);
    if (status === 200) expect(body.status).toBe(to);
    else expect((await app.api.get<ResourceScan>(`/api/v1/scans/${scan.id}`, { token })).body).toEqual(scan);
  });

  it('keeps why a scan failed, and takes a reason with the failure alone', async () => {
    const scan = await acme.scan({ status: 'RUNNING' });
    for (const json of [
      { failureReason: 'x' },
      { status: 'FINISHED', failureReason: 'x' },
      { progressRatio: 0.5, failureReason: 'x' },
    ]) {
      const { status, body } = await patch(scan.id, json);
      expect([status, body]).toMatchObject([422, { detail: [{ loc: ['body', 'failureReason'] }] }]);
    }
    const { body } = await patch(scan.id, { status: 'FAILED', failureReason: 'The host did not answer' });
    expect(body).toMatchObject({ status: 'FAILED', failureReason: 'The host did not answer' });
    expect((await patch(scan.id, { status: 'FAILED', failureReason: 'Another' })).status).toBe(409);
  });

  it('records the progress and the end of a scan', async () => {
    const scan = await acme.scan({ status: 'RUNNING' });
    expect((await patch(scan.id, { progressRatio: 0.25 })).body).toMatchObject({
      status: 'RUNNING',
      progressRatio: 0.25,
    });
    const { body } = await patch(scan.id, { status: 'FINISHED', progressRatio: 0.5 });
    expect(body).toMatchObject({ status: 'FINISHED', progressRatio: 1, finishedAt: body.updatedAt });
    expect((await patch(scan.id, { progressRatio: 0.75 })).status).toBe(409);
  });

  it('keeps the progress of a failed scan, and when it ended', async () => {
    const scan = await acme.scan({ status: 'RUNNING' });
    await patch(scan.id, { progressRatio: 0.4 });
    const { body } = await patch(scan.id, { status: 'FAILED' });
    expect(body).toMatchObject({ progressRatio: 0.4, finishedAt: body.updatedAt });
  });

  it('changes nothing when nothing is given', async () => {
    const scan = await acme.scan({ status: 'FINISHED' });
    expect((await patch(scan.id, {})).body).toEqual(scan);
  });

  it.each([{ progressRatio: 1.01 }, { progressRatio: -0.01 }, { progressRatio: '0.5' }, { status: 'DONE' }])(
    'responds with 422 for %j',
    async (json) => {
      expect((await patch((await acme.scan()).id, json)).status).toBe(422);
    },
  );

  it("responds with 404 for another organization's scan and does not change it", async () => {
    const scan = await other.scan();
    expect((await patch(scan.id, { status: 'RUNNING' })).status).toBe(404);
    expect((await cancel(scan.id)).status).toBe(404);
    expect((await app.api.get(`/api/v1/scans/${scan.id}`, { token: other.token })).body).toEqual(scan);
  });

  it('responds with 403 to a viewer', async () => {
    const { viewer } = acme.organization;
    const scan = await acme.scan();
    expect((await patch(scan.id, { status: 'RUNNING' }, viewer.token)).status).toBe(403);
    expect((await cancel(scan.id, viewer.token)).status).toBe(403);
  });

  it('lets one of many concurrent requests finish a scan, and fires once', async () => {
    const scan = await acme.scan({ status: 'RUNNING' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => patch(scan.id, { status: 'FINISHED' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    expect(await triggersAbout(scan.id)).toEqual(['SCAN_STARTED', 'SCAN_COMPLETED']);
  });

  it('lets one of two concurrent final statuses win', async () => {
    const scan = await acme.scan({ status: 'RUNNING' });
    const answers = await Promise.all([patch(scan.id, { status: 'FAILED' }), cancel(scan.id)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });
});

describe('POST /api/v1/scans/{id}/cancel', () => {
  it('cancels a scan once', async () => {
    const scan = await acme.scan({ status: 'RUNNING' });
    const { status, body } = await cancel(scan.id);
    expect([status, body.status, body.finishedAt]).toEqual([200, 'CANCELED', body.updatedAt]);
    expect((await cancel(scan.id)).status).toBe(409);
  });
});

describe('The triggers of scans', () => {
  it.each([
    ['STARTING', []],
    ['RUNNING', ['SCAN_STARTED']],
    ['FINISHED', ['SCAN_COMPLETED']],
    ['FAILED', ['SCAN_FAILED']],
    ['CANCELED', []],
  ])('are, for a scan created as %s, %j', async (status, types) => {
    expect(await triggersAbout((await acme.scan({ status })).id)).toEqual(types);
  });

  it.each([
    ['STARTING', 'RUNNING', ['SCAN_STARTED']],
    ['RUNNING', 'RUNNING', ['SCAN_STARTED']],
    ['RUNNING', 'FINISHED', ['SCAN_STARTED', 'SCAN_COMPLETED']],
    ['STARTING', 'FAILED', ['SCAN_FAILED']],
    ['STARTING', 'CANCELED', []],
  ])('are, for a move from %s to %s, %j', async (from, to, types) => {
    const scan = await acme.scan({ status: from });
    await patch(scan.id, { status: to });
    expect(await triggersAbout(scan.id)).toEqual(types);
  });
});
