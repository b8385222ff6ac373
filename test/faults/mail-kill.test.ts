import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { signUp } from '../support/accounts.js';
import { type JobNode, startJobNode } from '../support/job-node.js';
import { allMailsSent, type MailServer, startMailServer } from '../support/mail-server.js';
import { until } from '../support/receiver.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let server: MailServer;
/** Takes requests; the nodes that send are separate processes. */
let app: TestApp;

beforeAll(async () => {
  server = await startMailServer();
  app = await startTestApp({ env: server.env });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const nodes: JobNode[] = [];
beforeEach(() => {
  server.mails.length = 0;
  server.connections = 0;
});
afterEach(async () => {
  server.plans = [];
  server.release();
  await Promise.all(nodes.splice(0).map((node) => node.kill()));
  await app.database.rows('DELETE FROM graphile_worker._private_jobs');
});

async function startNode(): Promise<JobNode> {
  const node = await startJobNode(app, server.env);
  nodes.push(node);
  return node;
}

describe('A node that is killed', () => {
  it('between the commit and the end of the sending loses no mail and sends none twice', async () => {
    const account = await signUp(app);
    server.plans = [{ at: 'message', does: 'hang' }];
    const killed = await startNode();
    // The server has the whole mail, but has not accepted it yet.
    await until(() => server.connections === 1 && server.plans.length === 0);
    await killed.kill();
    server.release();
    expect(server.mails).toEqual([]);

    await startNode();
    await server.mailTo(account.email, 'Welcome');
    await allMailsSent(app);
    expect(server.mailsTo(account.email)).toHaveLength(1);
  });
});
