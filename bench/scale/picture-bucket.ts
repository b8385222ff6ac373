import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import S3rver from 's3rver';

const slowMs = 2_000;

/** S3 with one bucket, which responds by 503 alone, slowly, or not at all when it is told to. */
export class PictureBucket {
  mood: 'well' | 'unavailable' | 'slow' = 'well';
  private behind = 0;
  private port = 0;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly front = createServer((asked, answer) => void this.respond(asked, answer));

  private constructor(private readonly s3: S3rver) {}

  static async open(directory: string): Promise<PictureBucket> {
    await mkdir(directory);
    const configureBuckets = [{ name: 'pictures' }];
    const s3 = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
    const bucket = new PictureBucket(s3);
    bucket.behind = (await s3.run()).port;
    await bucket.comeBack();
    return bucket;
  }

  get url(): string {
    return `s3://S3RVER:S3RVER@127.0.0.1:${this.port}/pictures?tls=false`;
  }

  /** Refuses connections, and ends those that it has. */
  async leave(): Promise<void> {
    const closed = once(this.front, 'close');
    this.front.close();
    this.front.closeAllConnections();
    await closed;
  }

  async comeBack(): Promise<void> {
    this.front.listen(this.port, '127.0.0.1');
    await once(this.front, 'listening');
    ({ port: this.port } = this.front.address() as AddressInfo);
  }

  async close(): Promise<void> {
    if (this.front.listening) await this.leave();
    this.agent.destroy(); // s3rver waits for all of its connections
    await this.s3.close();
  }

  private async respond(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    if (this.mood === 'unavailable') {
      answer.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
      return;
    }
    if (this.mood === 'slow') await sleep(slowMs);
    const { method, url: path, headers } = asked;
    const inner = request(
      { agent: this.agent, host: '127.0.0.1', port: this.behind, method, path, headers },
      (response) => {
        answer.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(answer);
      },
    );
    inner.on('error', () => answer.destroy());
    answer.on('close', () => inner.destroy()); // else what breaks off waits there forever
    asked.pipe(inner);
  }
}
