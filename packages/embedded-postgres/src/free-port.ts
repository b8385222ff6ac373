import { createServer } from 'node:net';

/** Returns a port of 127.0.0.1 that is free now: `wanted` where it is, else one of the system's choosing. */
export async function freePort(wanted: number | null): Promise<number> {
  const port = wanted === null ? null : await tryPort(wanted);
  const chosen = port ?? (await tryPort(0));
  if (chosen === null) throw new Error('The system gives no free port on 127.0.0.1');
  return chosen;
}

function tryPort(wanted: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      const port = address !== null && typeof address === 'object' ? address.port : null;
      server.close(() => resolve(port));
    });
  });
}
