import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { readMail, type ReceivedMail } from './received-mail.js';
import { until } from './receiver.js';
import type { TestApp } from './test-app.js';

/** An answer of the mail server other than yes. */
export interface MailServerPlan {
  /** At which step: when greeting, at the recipient's name, or at the message. */
  at: 'greeting' | 'recipient' | 'message';
  /** Refuse with a code, end the connection without an answer, or say nothing until `release`. */
  does: number | 'drop' | 'hang';
}

export interface MailServer {
  /** What SMTP_URL says. */
  url: string;
  env: Record<string, string>;
  /** The mails that it took. */
  mails: ReceivedMail[];
  /** How many connections it has had. */
  connections: number;
  /** Its behaviour at the next attempts, one after another; then it accepts mails. */
  plans: MailServerPlan[];
  /** Its behaviour whenever there is no plan. */
  always: MailServerPlan | undefined;
  /** The mails that it took for an address, without case. */
  mailsTo(address: string): ReceivedMail[];
  /** Waits for a mail to an address whose subject has this in it, and returns the latest. */
  mailTo(address: string, subject: string): Promise<ReceivedMail>;
  /** Ends the connections that hang. */
  release(): void;
  close(): Promise<void>;
}

function refusal(code: number): Error {
  return Object.assign(new Error(`The plan says ${code}`), { responseCode: code });
}

/** A real SMTP server on loopback that does what a test says. */
export async function startMailServer(): Promise<MailServer> {
  const planned = new Map<string, MailServerPlan | undefined>();
  const hanging = new Set<() => void>();
  const sockets = new Set<Socket>();

  /** Responds to one step of a session by its plan. */
  function answer(at: MailServerPlan['at'], session: SMTPServerSession, done: (error?: Error) => void): boolean {
    const plan = planned.get(session.id);
    if (plan?.at !== at) {
      done();
      return true;
    }
    if (plan.does === 'hang') hanging.add(() => dropped(session));
    else if (plan.does === 'drop') dropped(session);
    else done(refusal(plan.does));
    return false;
  }

  /** Ends the connection of a session without a word. */
  function dropped(session: SMTPServerSession): void {
    for (const socket of sockets) if (socket.remotePort === session.remotePort) socket.destroy();
  }

  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 50,
    onConnect: (session, done) => {
      server.connections++;
      planned.set(session.id, server.plans.shift() ?? server.always);
      answer('greeting', session, done);
    },
    onRcptTo: (_address, session, done) => void answer('recipient', session, done),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        // The session forgets its envelope with the answer.
        const mail = readMail(Buffer.concat(chunks), session.envelope);
        if (answer('message', session, done)) server.mails.push(mail);
      });
    },
  });
  // Connections that end by themselves are part of the tests.
  smtp.on('error', () => undefined);
  smtp.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const url = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
  const server: MailServer = {
    url,
    env: { SMTP_URL: url, MAIL_FROM: 'Harbour Outfitters <shop@harbour.example>', SHOP_NAME: 'Harbour Outfitters' },
    mails: [],
    connections: 0,
    plans: [],
    always: undefined,
    mailsTo: (address) =>
      server.mails.filter(({ to }) => to.some((one) => one.toLowerCase() === address.toLowerCase())),
    mailTo: async (address, subject) => {
      const find = () => server.mailsTo(address).findLast((mail) => mail.subject.includes(subject));
      await until(() => find() !== undefined, 60_000, `"${subject}" to ${address}`);
      return find() as ReceivedMail;
    },
    release: () => {
      for (const end of hanging) end();
      hanging.clear();
    },
    close: async () => {
      server.release();
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
    },
  };
  return server;
}

/** Waits until the queue holds no mail, nor a job that may send one: everything caused before has been sent. */
export async function allMailsSent(app: Pick<TestApp, 'database'>): Promise<void> {
  await until(
    async () => {
      const waiting = await app.database.rows(
        `SELECT FROM mail_outbox
         UNION ALL SELECT FROM graphile_worker.jobs WHERE task_identifier IN ('mail', 'forgotten-password')`,
      );
      return waiting.length === 0;
    },
    60_000,
    'the end of all mails',
  );
}
