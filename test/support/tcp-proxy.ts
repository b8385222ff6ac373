import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Ends every connection and accepts no more. */
  cut(): Promise<void>;
  /** Stops forwarding without closing anything, like a cable that is unplugged; or starts again. */
  silence(isSilent: boolean): void;
  /** Accepts connections again on the same port, and leads them to another target if one is given. */
  mend(newTargetPort?: number): Promise<void>;
}

/** A port that leads to another one until it is cut: lets a database go away without touching it. */
export async function startTcpProxy(firstTargetPort: number): Promise<TcpProxy> {
  let targetPort = firstTargetPort;
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  let silent = false;
  const hush = (socket: Socket) => (silent ? socket.pause() : socket.resume());
  /** As `pipe` does, but that one goes on by itself when what it wrote has left. */
  const forward = (from: Socket, to: Socket) => {
    from.on('data', (chunk) => void (to.write(chunk) || from.pause()));
    from.on('end', () => to.end());
    to.on('drain', () => void (silent || from.resume()));
  };
  const server = createServer((inside) => {
    const outside = connect(targetPort, '127.0.0.1');
    track(inside);
    track(outside);
    forward(inside, outside);
    forward(outside, inside);
    inside.on('close', () => outside.destroy());
    outside.on('close', () => inside.destroy());
    if (silent) for (const socket of [inside, outside]) hush(socket);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    cut: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    silence: (isSilent) => {
      silent = isSilent;
      for (const socket of sockets) hush(socket);
    },
    mend: async (newTargetPort = targetPort) => {
      targetPort = newTargetPort;
      if (!server.listening) await listen(port);
    },
  };
}
