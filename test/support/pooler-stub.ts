import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** The parameters that PgBouncer accepts in a client's first message besides the user and the database; it refuses the rest. */
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

interface StubChoices {
  /** Refuses unknown startup parameters, as PgBouncer does. */
  refuses?: boolean;
  /** Prepares statements under names of its own, like a pooler that tracks them. */
  renames?: boolean;
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

/** A Parse or Bind message whose statement name, if it has one, is replaced by another of the same length. */
function renamed(message: Buffer): Buffer {
  const type = String.fromCharCode(message[0] ?? 0);
  if (type !== 'P' && type !== 'B') return message;
  const at = type === 'P' ? 5 : message.indexOf(0, 5) + 1;
  if (message[at] !== 0) message.write('X', at);
  return message;
}

function renaming(): Transform {
  let rest = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
        const end = 1 + rest.readInt32BE(1);
        this.push(renamed(Buffer.from(rest.subarray(0, end))));
        rest = rest.subarray(end);
      }
      done();
    },
  });
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

/** A proxy to a database that knows as much of the protocol as a pooler, without sharing sessions. */
export async function startPoolerStub(
  serverUrl: string,
  { refuses = false, renames = false }: StubChoices = {},
): Promise<PoolerStub> {
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
    const unknown = Object.keys(startup).find((name) => !known.has(name));
    if (refuses && unknown !== undefined) return void client.end(refusalOf(unknown));
    const server = connect(Number(new URL(serverUrl).port), '127.0.0.1');
    track(server);
    server.write(first);
    if (renames) client.pipe(renaming()).pipe(server).pipe(client);
    else client.pipe(server).pipe(client);
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
