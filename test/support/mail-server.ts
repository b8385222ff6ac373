import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { readMail, type ReceivedMail } from './received-mail.js';
import { until } from './receiver.js';
import type { TestApp } from './test-app.js';

/** A response of the mail server other than acceptance. */
export interface MailServerPlan {
  /** At which step: at the greeting, at the recipient's name, or at the message. */
  at: 'greeting' | 'recipient' | 'message';
  /** Refuses with a code, closes the connection without a response, or stays silent until `release`. */
  does: number | 'drop' | 'hang';
}

export interface MailServer {
  /** The value of SMTP_URL. */
  url: string;
  env: Record<string, string>;
  /** The mails that it accepted. */
  mails: ReceivedMail[];
  /** How many connections it has had. */
  connections: number;
  /** Its behavior at the next attempts, one after another; after them it accepts mails. */
  plans: MailServerPlan[];
  /** Its behavior when nothing is planned. */
  always: MailServerPlan | undefined;
  /** The mails that it accepted for an address, ignoring case. */
  mailsTo(address: string): ReceivedMail[];
  /** Waits for a mail to an address whose subject contains this, and returns the latest. */
  mailTo(address: string, subject: string): Promise<ReceivedMail>;
  /** Closes the connections that hang. */
  release(): void;
  close(): Promise<void>;
}

function refusal(code: number): Error {
  return Object.assign(new Error(`The plan says ${code}`), { responseCode: code });
}

/** A real SMTP server on loopback that behaves as a test says. */
export async function startMailServer(): Promise<MailServer> {
  const planned = new Map<string, MailServerPlan | undefined>();
  const hanging = new Set<() => void>();
  const sockets = new Set<Socket>();

  /** Responds to one step of a session as planned. */
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

  /** Ends the connection of a session without a response. */
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
        // Once the server has responded, the session forgets its envelope.
        const mail = readMail(Buffer.concat(chunks), session.envelope);
        if (answer('message', session, done)) server.mails.push(mail);
      });
    },
  });
  // Some tests break connections on purpose.
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
      await until(() => find() !== undefined, `"${subject}" to ${address}`);
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

/** Waits until the queue holds no mail, nor a job that may send one: everything triggered before has been sent. */
export async function allMailsSent(app: Pick<TestApp, 'database'>): Promise<void> {
  await until(async () => {
    const waiting = await app.database.rows(
      `SELECT FROM graphile_worker.jobs WHERE task_identifier IN ('mail', 'forgotten-password')`,
    );
    return waiting.length === 0;
  }, 'the end of all mails');
}
