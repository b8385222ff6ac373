import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { insertOrganization } from '../support/organizations.js';
import { type Receiver, startReceiver, until } from '../support/receiver.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WorkflowCalls } from '../support/workflows.js';

let app: TestApp;
let receiver: Receiver;
/** Each ends a hanging request. */
const hanging: (() => void)[] = [];
let hangs: string;
beforeAll(async () => {
  app = await startTestApp({ env: { EGRESS_ALLOW: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '600' }, jobs: true });
});
beforeEach(async () => {
  hangs = '/hangs';
  receiver = await startReceiver();
  receiver.answer = (response, { path }) => {
    if (path.startsWith(hangs)) hanging.push(() => response.end());
    else response.end();
  };
});
afterEach(async () => {
  for (const end of hanging.splice(0)) end();
  await receiver.close();
});
afterAll(() => app.close());

const at = (path: string): string => new URL(path, receiver.url).href;
const to = (path: string): number => receiver.received.filter((request) => request.path === path).length;

/** How often so many places can have been taken since then: an attempt that hangs is given up after 15 s, and its place is free. */
const takenSince = (begun: number, places: number): number => places * (1 + Math.floor((Date.now() - begun) / 15_000));

/** Queues this many deliveries to a path before any of them is sent. */
async function queue(calls: WorkflowCalls, path: string, count: number): Promise<string> {
  const { id } = await calls.make(at(path));
  await Promise.all(Array.from({ length: count }, () => calls.run(id)));
  return id;
}

describe('A path that hangs', () => {
  it('delays no other path of its host, of its own or another organization, even if it came first', async () => {
    const [acme, globex] = [await insertOrganization(app), await insertOrganization(app)];
    const [acmes, globexes] = [new WorkflowCalls(app, acme), new WorkflowCalls(app, globex)];
    const begun = Date.now();
    const first = await queue(acmes, '/hangs', 40);
    await until(() => hanging.length >= 4);
    const other = await queue(acmes, '/other', 10);
    await queue(globexes, '/of-globex', 10);
    await until(async () => to('/of-globex') === 10 && (await statuses(acmes, other))['DELIVERED'] === 10);
    // None of the first has been answered meanwhile.
    expect(to('/hangs')).toBeLessThanOrEqual(takenSince(begun, 4));
    expect((await statuses(acmes, first))['DELIVERED']).toBeUndefined();
    // The same path is another receiver for another organization.
    await queue(globexes, '/hangs', 1);
    await until(() => to('/hangs') > 4);
  });

  it('leaves slots at its host to other organizations, however many such paths there are', async () => {
    hangs = '/blocked';
    const [acme, globex] = [await insertOrganization(app), await insertOrganization(app)];
    const acmes = new WorkflowCalls(app, acme);
    const begun = Date.now();
    for (let n = 0; n < 6; n++) await queue(acmes, `/blocked-${n}`, 4);
    await until(() => hanging.length >= 8);
    await queue(new WorkflowCalls(app, globex), '/of-all-others', 5);
    await until(() => to('/of-all-others') === 5);
    expect(hanging.length).toBeLessThanOrEqual(takenSince(begun, 8));
  });
});

async function statuses(calls: WorkflowCalls, workflowId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of await calls.deliveries(workflowId)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
