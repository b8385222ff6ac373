import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * The parameters of a client's first message that PgBouncer passes on; it refuses the rest unless `ignore_startup_parameters`
 * names them.
 */
const known = new Set([
  'user',
  'database',
  'application_name',
  'client_encoding',
  'datestyle',
  'timezone',
  'standard_conforming_strings',
]);

type Startup = Record<string, string>;

export interface PoolerStub {
  /** The URL of the same database through the stub. */
  through(url: string): string;
  /** The startup parameters that clients sent. */
  startups: Startup[];
  close(): Promise<void>;
}

/** The pairs after a startup message's length and version. */
function startupOf(message: Buffer): Startup {
  const texts = message.subarray(8).toString().split('\0');
  const pairs: Startup = {};
  for (let at = 0; texts[at]; at += 2) pairs[(texts[at] ?? '').toLowerCase()] = texts[at + 1] ?? '';
  return pairs;
}

function refusalOf(name: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0Munsupported startup parameter: ${name}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** A first message with these parameters alone. */
function messageOf(version: Buffer, startup: Startup): Buffer {
  const pairs = Object.entries(startup).map(([name, value]) => `${name}\0${value}\0`);
  const rest = Buffer.concat([version, Buffer.from(`${pairs.join('')}\0`)]);
  const length = Buffer.alloc(4);
  length.writeInt32BE(rest.length + 4);
  return Buffer.concat([length, rest]);
}

/** The whole first message; the message that cancels a statement has no parameters. */
async function firstMessage(socket: Socket): Promise<Buffer> {
  let message = Buffer.alloc(0);
  while (message.length < 4 || message.length < message.readInt32BE(0)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    message = Buffer.concat([message, chunk]);
  }
  socket.pause();
  return message;
}

/**
 * A proxy to a database that knows as much of the protocol as a pooler, without sharing sessions; with `ignores`, the startup
 * parameters that it drops.
 */
export async function startPoolerStub(serverUrl: string, ignores?: readonly string[]): Promise<PoolerStub> {
  const sockets = new Set<Socket>();
  const startups: Startup[] = [];
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const lead = async (client: Socket): Promise<void> => {
    const first = await firstMessage(client);
    const startup = startupOf(first);
    startups.push(startup);
    const passed = Object.entries(startup).filter(([name]) => !ignores?.includes(name));
    const unknown = ignores && passed.find(([name]) => !known.has(name));
    if (unknown) return void client.end(refusalOf(unknown[0]));
    const server = connect(Number(new URL(serverUrl).port), '127.0.0.1');
    track(server);
    server.write(ignores ? messageOf(first.subarray(4, 8), Object.fromEntries(passed)) : first);
    client.pipe(server).pipe(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  };
  const listener = createServer((client) => {
    track(client);
    lead(client).catch(() => client.destroy());
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  return {
    startups,
    through: (url) => Object.assign(new URL(url), { port: String(port) }).href,
    close: async () => {
      const closed = once(listener, 'close');
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
