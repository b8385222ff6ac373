import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import type { BucketPlace } from '../../../config/storage-settings.js';

/** The bucket is out of reach, or refuses to do its work. */
export class S3Fault extends Error {
  override name = 'S3Fault';
}

/** The bucket's time limits, in milliseconds. */
export interface S3Patience {
  answerMs: number;
  /** For accepting a whole picture. */
  writeMs: number;
  /** Between one piece of a picture and the next. */
  pieceMs: number;
  /** For saying that it is there. */
  checkMs: number;
}

const usualPatience: S3Patience = { answerMs: 5_000, writeMs: 15_000, pieceMs: 15_000, checkMs: 2_000 };
/** Retries of answers with 5xx or 429, within the same time. */
const tries = { retries: 2, initRetryMs: 50 };

interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Empty for the bucket itself. */
  key: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

interface S3Response {
  response: Response;
  /** Drops the connection. */
  ending: AbortController;
}

/** A stored object, or the requested part of it. */
export interface S3Object {
  headers: Headers;
  isPart: boolean;
  /** To be read once, whole or not; otherwise `drop` ends the response. */
  pieces: AsyncIterable<Uint8Array>;
  drop(): void;
}

async function within<T>(ending: AbortController, ms: number, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => ending.abort(new S3Fault(`no answer within ${ms / 1_000} s`)), ms);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const { message: inner, code } = (cause ?? {}) as NodeJS.ErrnoException;
  return inner || code || message;
}

async function* piecesOf({ response, ending }: S3Response, ms: number): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await within(ending, ms, () => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    ending.abort();
  }
}

/** A bucket of S3, asked over HTTP with signed requests (AWS Signature Version 4), by paths. */
export class S3Bucket {
  private readonly client: AwsClient;
  private readonly patience: S3Patience;

  constructor(
    readonly place: BucketPlace,
    patience: Partial<S3Patience> = {},
  ) {
    const { accessKeyId, secretAccessKey, region } = place;
    this.client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', ...tries });
    this.patience = { ...usualPatience, ...patience };
  }

  /** Stores an object whole or not at all. Throws `S3Fault`, as all other methods do. */
  async put(key: string, bytes: Buffer, headers: Record<string, string>): Promise<void> {
    // The bucket compares what it received by itself.
    const digest = createHash('sha256').update(bytes).digest('hex');
    const request = {
      method: 'PUT',
      key,
      body: bytes,
      headers: { ...headers, 'X-Amz-Content-Sha256': digest },
    } as const;
    const answer = await this.send(request, this.patience.writeMs);
    if (!answer.response.ok) throw await this.fault(request, answer);
    answer.ending.abort();
  }

  /** The object of a key; null if there is none; `beyond` where the requested part lies past its end. */
  async get(
    key: string,
    { method = 'GET', range }: { method?: 'GET' | 'HEAD'; range?: string } = {},
  ): Promise<S3Object | null | 'beyond'> {
    const request: S3Request = { method, key, ...(range === undefined ? {} : { headers: { Range: range } }) };
    const answer = await this.send(request, this.patience.answerMs);
    const { response, ending } = answer;
    if (response.ok) {
      const pieces = piecesOf(answer, this.patience.pieceMs);
      return { headers: response.headers, isPart: response.status === 206, pieces, drop: () => ending.abort() };
    }
    if (response.status !== 404 && response.status !== 416) throw await this.fault(request, answer);
    const code = await this.codeOf(answer);
    if (code === 'NoSuchBucket') throw new S3Fault(`there is no bucket ${this.place.bucket}`);
    return response.status === 404 ? null : 'beyond';
  }

  /** The SHA-256 of a stored object, in hexadecimal digits; null if there is none. */
  async digest(key: string): Promise<string | null> {
    const object = await this.get(key);
    if (object === null || object === 'beyond') return null;
    const hash = createHash('sha256');
    try {
      for await (const piece of object.pieces) hash.update(piece);
    } catch (error) {
      throw new S3Fault(`GET ${key}: ${reasonOf(error)}`);
    }
    return hash.digest('hex');
  }

  /** Removes an object, if it is there. */
  async remove(key: string): Promise<void> {
    const request = { method: 'DELETE', key } as const;
    const answer = await this.send(request, this.patience.answerMs);
    if (!answer.response.ok && answer.response.status !== 404) throw await this.fault(request, answer);
    answer.ending.abort();
  }

  /** Throws where the bucket does not answer, does not exist, or does not accept these keys. */
  async check(): Promise<void> {
    const request = { method: 'HEAD', key: '' } as const;
    const answer = await this.send(request, this.patience.checkMs);
    if (!answer.response.ok) throw await this.fault(request, answer);
    answer.ending.abort();
  }

  private async send({ method, key, headers, body }: S3Request, ms: number): Promise<S3Response> {
    const { origin, bucket, prefix } = this.place;
    const url = `${origin}/${bucket}${key === '' ? '' : `/${prefix}${key}`}`;
    const ending = new AbortController();
    const init = { method, headers, body, redirect: 'manual', signal: ending.signal } as const;
    try {
      return { response: await within(ending, ms, () => this.client.fetch(url, init)), ending };
    } catch (error) {
      throw new S3Fault(`${method} ${key || bucket}: ${reasonOf(error)}`);
    }
  }

  private async fault({ method, key }: S3Request, answer: S3Response): Promise<S3Fault> {
    const code = await this.codeOf(answer);
    return new S3Fault(`${method} ${key || this.place.bucket}: answered ${answer.response.status} ${code}`.trimEnd());
  }

  /** The name of the error, from the beginning of the body, if it has one. */
  private async codeOf(answer: S3Response): Promise<string> {
    let text = '';
    try {
      for await (const piece of piecesOf(answer, this.patience.answerMs)) {
        text += Buffer.from(piece).toString();
        if (text.length > 4_096) break;
      }
    } catch {
      return '';
    }
    return /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? '';
  }
}
