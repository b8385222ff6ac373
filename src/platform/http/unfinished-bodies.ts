import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

/**
 * Bounds the memory of all bodies that are still arriving: beyond it, it closes the connection whose body began first, since
 * slow clients hold the oldest.
 */
export class UnfinishedBodies {
  /** The bytes of each, the oldest first. */
  private readonly arriving = new Map<IncomingMessage, number>();
  private bytes = 0;

  /** A compressed body may already have grown to `maxBodyBytes`, and counts as such. */
  constructor(
    private readonly maxBytes: number,
    private readonly maxBodyBytes: number,
  ) {}

  readonly watch: RequestHandler = (request, _response, next) => {
    this.begin(request);
    next();
  };

  /** Counts the body of a request from now on, while it is read. */
  begin(request: IncomingMessage): void {
    if (request.destroyed) return; // it would never be over
    const encoded = request.headers['content-encoding'] !== undefined;
    this.arriving.set(request, 0);
    const forget = (): void => this.forget(request);
    request.once('end', forget).once('close', forget);
    request.on('data', ({ length }: Buffer) => this.add(request, encoded ? this.maxBodyBytes : length));
  }

  private add(request: IncomingMessage, bytes: number): void {
    const before = this.arriving.get(request);
    if (before === undefined) return;
    const now = Math.min(before + bytes, this.maxBodyBytes);
    this.arriving.set(request, now);
    this.bytes += now - before;
    while (this.bytes > this.maxBytes) this.endOldest();
  }

  private endOldest(): void {
    for (const [request, bytes] of this.arriving) {
      if (bytes === 0) continue;
      this.forget(request);
      request.destroy();
      return;
    }
  }

  private forget(request: IncomingMessage): void {
    this.bytes -= this.arriving.get(request) ?? 0;
    this.arriving.delete(request);
  }
}
