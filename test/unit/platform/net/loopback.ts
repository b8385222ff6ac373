import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createRawServer, type Server as NetServer, type Socket } from 'node:net';
import type { SecureContextOptions, TlsOptions } from 'node:tls';

/** A real server on every address of this machine that counts connections. */
export class Loopback {
  connections = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: NetServer) {
    server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('error', () => socket.destroy());
    });
  }

  static http(listener: RequestListener): Promise<Loopback> {
    return Loopback.started(createServer(listener));
  }

  static https(options: TlsOptions & SecureContextOptions, listener: RequestListener): Promise<Loopback> {
    return Loopback.started(createSecureServer(options, listener));
  }

  /** Whatever the client sends, it gets these bytes and then silence. */
  static raw(answer: string): Promise<Loopback> {
    return Loopback.started(createRawServer((socket) => socket.resume().write(answer)));
  }

  get port(): number {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port');
    return address.port;
  }

  get open(): number {
    return this.sockets.size;
  }

  url(path = '/', host = '127.0.0.1'): string {
    return `http://${host}:${this.port}${path}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private static async started(server: NetServer | Server): Promise<Loopback> {
    const loopback = new Loopback(server);
    // All addresses, with IPv6 if the machine has it: an odd spelling that slips through must find someone listening.
    await listening(server, '::').catch(() => listening(server, '0.0.0.0'));
    return loopback;
  }
}

function listening(server: NetServer, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
