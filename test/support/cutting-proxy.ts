import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy that cuts its first connection. */
export interface CuttingProxy {
  url: string;
  /** How many connections have come. */
  connections: () => number;
  close(): Promise<void>;
}

/** How many bytes pass before it cuts within the body: the head of a request, and a part of its body. */
const bytesPassed = 2_000;

/**
 * Leads to the service at `target`. It cuts its first connection `within the body`, or `before the answer`: then the whole
 * request has arrived, and the client does not know.
 */
export async function startCuttingProxy(
  target: string,
  where: 'within the body' | 'before the answer',
): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((inside) => {
    const outside = connect(Number(new URL(target).port), '127.0.0.1');
    for (const socket of [inside, outside]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    const cut = () => [inside, outside].forEach((socket) => socket.destroy());
    inside.on('close', () => outside.destroy());
    outside.on('close', () => inside.destroy());
    connections++;
    if (connections > 1) inside.pipe(outside).pipe(inside);
    else if (where === 'before the answer') {
      inside.pipe(outside);
      outside.once('data', cut);
    } else {
      let passed = 0;
      inside.on('data', (chunk: Buffer) => {
        const part = chunk.subarray(0, bytesPassed - passed);
        passed += part.length;
        outside.write(part, () => passed >= bytesPassed && cut());
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
