import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { JobQueue } from '../../src/platform/jobs/job-queue.js';
import type { Mail } from '../../src/platform/mail/mail.js';
import { Mailer } from '../../src/platform/mail/mailer.js';
import { insertUser } from '../support/accounts.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { until } from '../support/receiver.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let server: MailServer;
let app: TestApp;
let mailer: Mailer;

beforeAll(async () => {
  server = await startMailServer();
  app = await startTestApp({ env: server.env, jobs: true });
  // Two nodes that both send.
  await app.anotherNode();
  mailer = app.nest.get(Mailer);
});
afterAll(async () => {
  await app.close();
  await server.close();
});
beforeEach(() => {
  server.mails.length = 0;
  server.connections = 0;
  server.plans = [];
  server.always = undefined;
});

afterEach(async () => {
  server.always = undefined;
  server.release();
  await app.database.rows(
    `DELETE FROM graphile_worker._private_jobs
      WHERE task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'mail')`,
  );
});

const link = 'https://shop.example/account/reset?token=very-secret';

function mailTo(name: string, choices: Partial<Mail> = {}): Mail {
  const to = { address: `${randomUUID()}@example.com`, name };
  return {
    kind: 'signed-out',
    values: {},
    to,
    subject: 'About the test',
    blocks: [{ text: 'Hello,' }, { button: { label: 'Go on', url: link } }],
    ...choices,
  };
}

interface QueuedJob {
  attempts: number;
  payload: string;
  due: boolean;
}

async function queued(): Promise<QueuedJob[]> {
  return app.database.rows<QueuedJob>(
    `SELECT attempts, payload::text, run_at <= now() AS due
       FROM graphile_worker._private_jobs JOIN graphile_worker._private_tasks t ON t.id = task_id
      WHERE t.identifier = 'mail'`,
  );
}

/** Waits until the first attempt at the only mail in the queue has failed. */
async function failedOnce(): Promise<void> {
  await until(async () => {
    const [job] = await queued();
    return job?.attempts === 1 && !job.due;
  });
}

/** Makes the next attempts at all queued mails due. */
async function hurry(): Promise<void> {
  await app.database.rows(`UPDATE graphile_worker._private_jobs SET run_at = now()`);
}

const inOrder = (one: string, other: string) => one.localeCompare(other);

const emptied = () => until(async () => (await queued()).length === 0);

describe('A mail', () => {
  it('is sent once its transaction is committed, and only once by two nodes', async () => {
    const mails = Array.from({ length: 12 }, (_, n) => mailTo(`User ${n}`));
    await app.nest.get(UnitOfWork).run(async () => {
      for (const mail of mails) await mailer.send(mail);
      expect(await queued()).toEqual([]);
    });
    await emptied();
    const taken = server.mails.map(({ to }) => String(to));
    expect(taken.sort(inOrder)).toEqual(mails.map(({ to }) => to.address).sort(inOrder));
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(mails.length);
    expect(server.mails[0]).toMatchObject({ from: 'shop@harbour.example', subject: 'About the test', links: [link] });
    expect(server.mails[0]?.html).toContain(`href="${link}"`);
  });

  it('is not sent if its transaction fails', async () => {
    const failing = app.nest.get(UnitOfWork).run(async () => {
      await mailer.send(mailTo('Nobody'));
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await mailer.send(mailTo('Somebody'));
    await emptied();
    expect(server.mails).toHaveLength(1);
  });

  it('waits in the queue with its content sealed', async () => {
    server.plans = [{ at: 'recipient', does: 451 }];
    await mailer.send(mailTo('Grace'));
    await failedOnce();
    const [job] = await queued();
    expect(job?.payload).not.toMatch(/Grace|example\.com|secret/);
    await hurry();
    await emptied();
  });

  it.each([
    ['is greylisted', { at: 'recipient', does: 451 }],
    ['is told to come back at the greeting', { at: 'greeting', does: 421 }],
    ['is refused for the moment', { at: 'message', does: 452 }],
    ['loses the connection in the middle', { at: 'message', does: 'drop' }],
    ['finds the server closed to the service for good', { at: 'greeting', does: 554 }],
  ] as const)('is sent again when it %s', async (_title, plan) => {
    server.plans = [plan];
    await mailer.send(mailTo('Grace'));
    await failedOnce();
    expect(server.mails).toEqual([]);
    await hurry();
    await emptied();
    expect(server.mails).toHaveLength(1);
    expect(server.connections).toBe(2);
  });

  it('keeps its Message-ID and its date when it is sent again', async () => {
    server.plans = [{ at: 'message', does: 'drop' }];
    const sent = mailTo('Grace');
    await mailer.send(sent);
    await failedOnce();
    const [job] = await queued();
    const { id, at } = JSON.parse(job?.payload ?? '{}') as { id: string; at: string };
    await hurry();
    const mail = await server.mailTo(sent.to.address, sent.subject);
    await emptied();
    expect(mail.messageId).toBe(`<${id}@harbour.example>`);
    const date = mail.headers.find(([name]) => name === 'date')?.[1] ?? '';
    expect(Date.parse(date)).toBe(Math.floor(Date.parse(at) / 1_000) * 1_000);
  });

  it.each(['recipient', 'message'] as const)('is given up when the server permanently refuses the %s', async (at) => {
    server.plans = [{ at, does: 550 }];
    await mailer.send(mailTo('Grace'));
    await emptied();
    expect(server.mails).toEqual([]);
    expect(server.connections).toBe(1);
  });

  it('is not sent once the account is gone or the mail has no use any more', async () => {
    const user = await insertUser(app);
    await app.database.rows(`UPDATE users SET deleted_at = now() WHERE id = $1`, [user.id]);
    await mailer.send(mailTo('Gone', { account: user.id }));
    await mailer.send(mailTo('Late', { usefulUntil: new Date(Date.now() - 1) }));
    await emptied();
    expect(server.connections).toBe(0);
  });
});

describe('A mail server that hangs', () => {
  it('delays nothing but mail, and gets all mails when it is back', async () => {
    server.always = { at: 'greeting', does: 'hang' };
    const mails = Array.from({ length: 20 }, (_, n) => mailTo(`User ${n}`));
    for (const mail of mails) await mailer.send(mail);
    await until(() => server.connections === 16); // eight of each node
    await app.nest.get(JobQueue).add('event-retention', {}, { key: 'event-retention' });
    await until(async () => {
      const [job] = await app.database.rows<{ due: boolean }>(
        `SELECT run_at <= now() AS due FROM graphile_worker.jobs WHERE key = 'event-retention'`,
      );
      return job?.due === false;
    });
    expect(server.mails).toEqual([]);
    server.always = undefined;
    server.release();
    await until(async () => {
      await hurry();
      return server.mails.length === mails.length;
    });
    await emptied();
    expect(server.mails).toHaveLength(mails.length);
  });
});
