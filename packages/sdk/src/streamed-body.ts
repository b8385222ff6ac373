/** The bytes of a body that is not in memory: a stream, or in Node.js anything that yields bytes, such as a file's stream. */
export type StreamedBytes = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface StreamedBodyOptions {
  /** The number of bytes, if it is known. */
  size?: number | undefined;
  /** With this key the service takes the body once, however often it is sent. */
  idempotencyKey?: string;
}

const streamed = new WeakSet<Request>();

/** Marks a request whose body can be read only once. */
export function markStreamed(request: Request): void {
  streamed.add(request);
}

export function isStreamed(request: Request): boolean {
  return streamed.has(request);
}

/**
 * Options of a call that sends a file as the body itself, as it is read:
 * `store.scans.import({ query, ...streamedBody(createReadStream('report.sarif')) })`. Such a call is not repeated, since a
 * stream can be read once: repeat it with a new stream and the same `idempotencyKey`.
 */
export function streamedBody(bytes: StreamedBytes, { size, idempotencyKey }: StreamedBodyOptions = {}) {
  return {
    body: bytes as never,
    bodySerializer: (body: unknown) => body,
    duplex: 'half' as const,
    meta: { isStreamed: true },
    headers: {
      'Content-Type': 'application/octet-stream',
      ...(size !== undefined && { 'Content-Length': String(size) }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
  };
}
