import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receives POSTs on loopback, and counts their bytes. */
export class Receiver {
  private waiting: ((bytes: number) => void) | undefined;
  private readonly server = createServer((request, response) => void this.take(request, response)).unref();

  async open(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** The size of the next request, once it has arrived; throws if none comes in time. */
  next(timeoutMs: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('Nothing was delivered to the receiver')), timeoutMs);
      this.waiting = (bytes) => {
        clearTimeout(timer);
        resolve(bytes);
      };
    });
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let bytes = 0;
    for await (const chunk of request) bytes += (chunk as Buffer).length;
    response.writeHead(200).end();
    this.waiting?.(bytes);
  }
}
