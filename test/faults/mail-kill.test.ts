import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signUp } from '../support/accounts.js';
import { startJobNode } from '../support/job-node.js';
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

describe('A node that is killed', () => {
  it('between the commit and the end of the sending loses no mail and sends none twice', async () => {
    const account = await signUp(app);
    server.plans = [{ at: 'message', does: 'hang' }];
    const killed = await startJobNode(app, server.env);
    // The server has the whole mail, but has not accepted it yet.
    await until(() => server.connections === 1 && server.plans.length === 0);
    await killed.kill();
    server.release();
    expect(server.mails).toEqual([]);

    const next = await startJobNode(app, server.env);
    await server.mailTo(account.email, 'Welcome');
    await allMailsSent(app);
    expect(server.mailsTo(account.email)).toHaveLength(1);
    await next.stop();
  });
});
