import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '../../platform/net/outbound-http.js';
import { TargetRefused, TargetUnreachable } from '../../platform/net/target-errors.js';
import type { ThreatFeed } from '../../config/threat-feed-settings.js';
import { SpoolFile } from '../spool-file.js';
import { FeedFault } from './feed-fault.js';

/** How large a feed may be once it is unzipped, and how large an answer over HTTP. */
const maxBytes = 100 * 2 ** 20;
const maxAnswerBytes = 50 * 2 ** 20;
const timeoutMs = 120_000;
const gzipMagic = Buffer.from([0x1f, 0x8b]);

/** Opens feeds, wherever the operator keeps them. */
@Injectable()
export class FeedBytes {
  constructor(private readonly http: OutboundHttp) {}

  /** The bytes of a feed, unzipped. `FeedFault` if it is not there, broken, or too large. */
  async *of({ address }: ThreatFeed, signal?: AbortSignal): AsyncGenerator<Buffer> {
    const chunks = /^https?:/i.test(address) ? this.fromAddress(address, signal) : fromFile(address);
    let size = 0;
    for await (const chunk of unzipped(chunks)) {
      signal?.throwIfAborted();
      size += chunk.length;
      if (size > maxBytes) throw new FeedFault(`it is larger than ${maxBytes / 2 ** 20} MiB`);
      yield chunk;
    }
  }

  private async *fromAddress(url: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
    const spool = new SpoolFile();
    try {
      await this.fetch(url, spool, signal);
      yield* spool.read();
    } finally {
      await spool.close();
    }
  }

  /** Fetches an answer into a file, at its own pace: reading it takes longer, since its rows are written meanwhile. */
  private async fetch(url: string, spool: SpoolFile, signal?: AbortSignal): Promise<void> {
    try {
      const { status } = await this.http.send({
        url,
        maxBytes: maxAnswerBytes,
        onTooLarge: 'refuse',
        take: (chunk) => spool.write(chunk),
        maxRedirects: 5,
        timeoutMs,
        ...(signal ? { signal } : {}),
      });
      if (status !== 200) throw new FeedFault(`its address answers with ${status}`);
    } catch (error) {
      if (error instanceof TargetRefused || error instanceof TargetUnreachable) throw new FeedFault(error.message);
      throw error;
    }
  }
}

async function* fromFile(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path)) yield chunk as Buffer;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new FeedFault(`its file cannot be read (${code})`);
  }
}

async function* unzipped(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await chunks.next();
  if (first.done) return;
  const all = (async function* () {
    yield first.value;
    yield* chunks;
  })();
  if (!first.value.subarray(0, 2).equals(gzipMagic)) {
    yield* all;
    return;
  }
  const gunzip = createGunzip();
  const piping = pipeline(all, gunzip);
  piping.catch(() => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw code.startsWith('Z_') ? new FeedFault('it begins like gzip but cannot be decompressed') : error;
  } finally {
    gunzip.destroy();
  }
}
