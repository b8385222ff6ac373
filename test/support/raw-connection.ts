import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from './receiver.js';

export interface RawAnswer {
  /** Status line and headers, as received. */
  head: string;
  body: string;
}

/** The complete responses at the beginning of the bytes; each has a Content-Length, or no body. */
function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; ;) {
    const end = text.indexOf('\r\n\r\n', at);
    if (end < 0) return answers;
    const head = text.slice(at, end);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    at = end + 4 + length;
    if (at > text.length) return answers;
    answers.push({ head, body: text.slice(end + 4, at) });
  }
}

/** A connection that sends bytes as the test says, and reads the responses in order. */
export class RawConnection {
  private received = '';
  closed = false;

  private constructor(readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => (this.received += bytes.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.closed = true));
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  get answers(): RawAnswer[] {
    return answersIn(this.received);
  }

  /** Sends the bytes without waiting. */
  send(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Waits for this many responses, and returns the last of them. */
  async answer(count: number): Promise<RawAnswer | undefined> {
    await until(() => this.answers.length >= count || this.closed, `${count} answers`);
    return this.answers[count - 1];
  }

  /** Sends a request, and returns its response. */
  async ask(text: string): Promise<RawAnswer | undefined> {
    const before = this.answers.length;
    this.send(text);
    return this.answer(before + 1);
  }

  close(): void {
    this.socket.destroy();
  }
}
