import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** How a name is answered: addresses by family, a failure, or never. */
export interface DnsRecord {
  a?: readonly string[] | 'silent' | 'failure';
  aaaa?: readonly string[] | 'silent' | 'failure';
}

const typeA = 1;
const typeAaaa = 28;
const noError = 0x8180;
const serverFailure = 0x8182;
const noSuchName = 0x8183;

/** A name server on loopback, over UDP (RFC 1035), with the names that the test gives it. */
export class DnsServer {
  /** The names that were queried, one a query. */
  readonly asked: string[] = [];
  private readonly records = new Map<string, DnsRecord>();

  private constructor(private readonly socket: Socket) {
    socket.on('message', (query, from) => this.answer(query, from));
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsServer(socket);
  }

  /** In the form that `DNS_SERVERS` takes. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  /** Sets the answers for a name, or for every name below a suffix given as `*.suffix`. */
  has(name: string, record: DnsRecord): void {
    this.records.set(name, record);
  }

  async stop(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private recordOf(name: string): DnsRecord | undefined {
    return this.records.get(name) ?? this.records.get(`*.${name.split('.').slice(1).join('.')}`);
  }

  private answer(query: Buffer, { port, address }: RemoteInfo): void {
    const { name, type, end } = questionOf(query);
    this.asked.push(name);
    const record = this.recordOf(name);
    const has: DnsRecord['a'] = (type === typeAaaa ? record?.aaaa : type === typeA ? record?.a : undefined) ?? [];
    if (has === 'silent') return;
    const addresses = has === 'failure' ? [] : has;
    const flags = has === 'failure' ? serverFailure : record ? noError : noSuchName;
    const head = Buffer.alloc(12);
    head.writeUInt16BE(query.readUInt16BE(0), 0);
    for (const [index, value] of [flags, 1, addresses.length, 0, 0].entries()) head.writeUInt16BE(value, 2 + 2 * index);
    const answers = addresses.map((one) => answerOf(type, one));
    this.socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), port, address);
  }
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString('latin1'));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answerOf(type: number, address: string): Buffer {
  const data = type === typeA ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
  const head = Buffer.alloc(12);
  // The name of the question, as a pointer to it; class IN; a minute to live.
  for (const [at, value] of [0xc00c, type, 1, 0, 60, data.length].entries()) head.writeUInt16BE(value, 2 * at);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [before = '', after] = address.split('::');
  const groups = (text = ''): number[] =>
    text
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  const [left, right] = [groups(before), groups(after)];
  const all =
    after === undefined ? left : [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
  const bytes = Buffer.alloc(16);
  for (const [index, group] of all.entries()) bytes.writeUInt16BE(group, index * 2);
  return bytes;
}
