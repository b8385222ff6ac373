import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './receiver.js';

/** A span as received over the wire. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first span of its trace. */
  parentId: string;
  name: string;
  kind: 'SERVER' | 'CLIENT' | 'CONSUMER' | 'OTHER';
  attributes: Record<string, string | number>;
  isError: boolean;
  startedAt: bigint;
  endedAt: bigint;
  /** The name of the service that sent it. */
  resource: Record<string, string | number>;
}

type Value = bigint | Buffer;

/** The fields of a protobuf message by number: integers, and length-delimited ones. */
function fieldsOf(bytes: Buffer): Map<number, Value[]> {
  const fields = new Map<number, Value[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (length: number): Buffer => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const key = Number(varint());
    const readers: Record<number, () => Value> = {
      0: varint,
      1: () => take(8).readBigUInt64LE(),
      2: () => take(Number(varint())),
      5: () => BigInt(take(4).readUInt32LE()),
    };
    const read = readers[key & 7];
    if (!read) throw new Error(`There is no wire type ${key & 7}`);
    fields.set(key >> 3, [...(fields.get(key >> 3) ?? []), read()]);
  }
  return fields;
}

/** The messages in a field. */
function messages(of: Map<number, Value[]>, field: number): Map<number, Value[]>[] {
  return (of.get(field) ?? []).map((value) => fieldsOf(value as Buffer));
}

const bytesIn = (of: Map<number, Value[]>, field: number): Buffer => (of.get(field)?.[0] as Buffer) ?? Buffer.alloc(0);
const numberIn = (of: Map<number, Value[]>, field: number): bigint => (of.get(field)?.[0] as bigint) ?? 0n;

function attributesIn(of: Map<number, Value[]>, field: number): Record<string, string | number> {
  const pairs = messages(of, field).map((pair): [string, string | number] => {
    const value = fieldsOf(bytesIn(pair, 2));
    return [String(bytesIn(pair, 1)), value.has(1) ? String(bytesIn(value, 1)) : Number(numberIn(value, 3))];
  });
  return Object.fromEntries(pairs);
}

const kinds: Record<string, ReceivedSpan['kind']> = { 2: 'SERVER', 3: 'CLIENT', 5: 'CONSUMER' };

/** The spans of an ExportTraceServiceRequest (opentelemetry-proto, trace/v1/trace.proto). */
function spansOf(body: Buffer): ReceivedSpan[] {
  return messages(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const resource = attributesIn(fieldsOf(bytesIn(resourceSpans, 1)), 1);
    const spans = messages(resourceSpans, 2).flatMap((scopeSpans) => messages(scopeSpans, 2));
    return spans.map((span) => ({
      traceId: bytesIn(span, 1).toString('hex'),
      spanId: bytesIn(span, 2).toString('hex'),
      parentId: bytesIn(span, 4).toString('hex'),
      name: String(bytesIn(span, 5)),
      kind: kinds[String(numberIn(span, 6))] ?? 'OTHER',
      attributes: attributesIn(span, 9),
      isError: numberIn(fieldsOf(bytesIn(span, 15)), 3) === 2n,
      startedAt: numberIn(span, 7),
      endedAt: numberIn(span, 8),
      resource,
    }));
  });
}

/** A trace collector on loopback. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  readonly requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  /** Whether requests are accepted but never answered. */
  isSilent = false;
  private server = createServer();
  private port = 0;

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await receiver.open();
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Listens, on the same port as before if there was one, unless it does so already. */
  async open(): Promise<void> {
    if (this.server.listening) return;
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        if (this.isSilent) return;
        this.requests.push({ path: request.url ?? '', headers: request.headers });
        this.spans.push(...spansOf(Buffer.concat(chunks)));
        response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      });
    });
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  of(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  /** Waits for a span, and returns the first such one. */
  async span(what: string, is: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
    await until(() => this.spans.some(is), what);
    return this.spans.find(is) as ReceivedSpan;
  }
}
