import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { type BucketPlace, parseBucketUrl } from '../../src/config/storage-settings.js';

/** How it responds: as S3 does, with 503 only, never, or with half of a picture and nothing more. */
type Mood = 'well' | 'unavailable' | 'silent' | 'half';

export interface S3Server {
  url: string;
  place: BucketPlace;
  mood: Mood;
  /** Methods and paths of the requests so far. */
  requests: string[];
  /** Stops taking connections, and takes them again on the same port. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** S3 with one bucket, `pictures`, that can be made to fail. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'store-s3-'));
  const s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'pictures' }],
  });
  const { port: behind } = await s3.run();
  const sockets = new Set<Socket>();
  const requests: string[] = [];

  const pass = (asked: IncomingMessage, answer: ServerResponse): void => {
    const { method, url, headers } = asked;
    const inner = request({ host: '127.0.0.1', port: behind, method, path: url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      if (server.mood !== 'half') response.pipe(answer);
      else response.once('data', (chunk: Buffer) => answer.write(chunk.subarray(0, chunk.length >> 1)));
    });
    inner.on('error', () => answer.destroy());
    asked.pipe(inner);
  };
  const front = createServer((asked, answer) => {
    requests.push(`${asked.method} ${asked.url}`);
    if (server.mood === 'unavailable') answer.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
    else if (server.mood !== 'silent') pass(asked, answer);
  });
  front.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const listen = async (at: number): Promise<void> => {
    front.listen(at, '127.0.0.1');
    await once(front, 'listening');
  };
  const leave = async (): Promise<void> => {
    const closed = once(front, 'close');
    front.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const { port } = front.address() as AddressInfo;
  const url = `s3://S3RVER:S3RVER@127.0.0.1:${port}/pictures/shop?tls=false`;
  const server: S3Server = {
    url,
    place: parseBucketUrl(url) as BucketPlace,
    mood: 'well',
    requests,
    leave,
    comeBack: () => listen(port),
    close: async () => {
      if (front.listening) await leave();
      await s3.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return server;
}
