import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import type { BucketPlace } from '../../config/storage-settings.js';

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
/** A larger object is sent in parts of this size, of which a bucket takes ten thousand. */
const partBytes = 32 * 2 ** 20;
/** The longest answer in XML that is read, and the most pages of a list. */
const mostXmlBytes = 4 * 2 ** 20;
const mostPages = 100;

interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Empty for the bucket itself. */
  key: string;
  query?: Record<string, string>;
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

/** The content of the first element of this name in XML. */
function elementIn(xml: string, name: string): string | undefined {
  const from = xml.indexOf(`<${name}>`);
  const to = xml.indexOf(`</${name}>`, from);
  return from === -1 || to === -1 ? undefined : xml.slice(from + name.length + 2, to);
}

/** Joins pieces into parts of the same size, except for the last; one empty part where there is nothing. */
async function* inParts(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let count = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < partBytes) continue;
    const whole = Buffer.concat(waiting);
    yield whole.subarray(0, partBytes);
    count += 1;
    waiting = [whole.subarray(partBytes)];
    bytes -= partBytes;
  }
  if (bytes > 0 || count === 0) yield Buffer.concat(waiting);
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
    await this.putBytes({ method: 'PUT', key, headers }, bytes);
  }

  /** Stores the pieces as one object, whole or not at all; holds one part of them in memory. */
  async putPieces(key: string, pieces: AsyncIterable<Buffer>): Promise<void> {
    const uploadId = elementIn(await this.text({ method: 'POST', key, query: { uploads: '' } }), 'UploadId');
    if (uploadId === undefined) throw new S3Fault(`POST ${key}: the answer has no UploadId`);
    const upload = { key, query: { uploadId } };
    try {
      const tags: string[] = [];
      for await (const part of inParts(pieces)) {
        const query = { ...upload.query, partNumber: String(tags.length + 1) };
        const received = await this.putBytes({ method: 'PUT', key, query }, part);
        tags.push(received.get('etag') ?? '');
      }
      const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
      // A failure of the last step may come with status 200.
      const code = elementIn(await this.text({ method: 'POST', ...upload, body }), 'Code');
      if (code !== undefined) throw new S3Fault(`POST ${key}: answered ${code}`);
    } catch (error) {
      await this.send({ method: 'DELETE', ...upload }, this.patience.answerMs)
        .then(({ ending }) => ending.abort())
        .catch(() => undefined);
      throw error;
    }
  }

  /** The keys of the stored objects, without the prefix of this place; of no folder below it. */
  async keys(): Promise<string[]> {
    const { prefix } = this.place;
    const found: string[] = [];
    let token: string | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const query = {
        'list-type': '2',
        delimiter: '/',
        ...(prefix === '' ? {} : { prefix }),
        ...(token === undefined ? {} : { 'continuation-token': token }),
      };
      const text = await this.text({ method: 'GET', key: '', query });
      for (const [, key = ''] of text.matchAll(/<Key>([^<]{1,1024})<\/Key>/g)) found.push(key.slice(prefix.length));
      token = elementIn(text, 'NextContinuationToken');
      if (token === undefined) return found;
    }
    throw new S3Fault(`${this.place.bucket} has more than ${mostPages} pages of objects`);
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

  /** Sends bytes, and returns the headers of the answer. The bucket compares what it received by itself. */
  private async putBytes(of: Omit<S3Request, 'body'>, body: Buffer): Promise<Headers> {
    const digest = createHash('sha256').update(body).digest('hex');
    const request = { ...of, body, headers: { ...of.headers, 'X-Amz-Content-Sha256': digest } };
    const answer = await this.send(request, this.patience.writeMs);
    if (!answer.response.ok) throw await this.fault(request, answer);
    answer.ending.abort();
    return answer.response.headers;
  }

  private async text(request: S3Request): Promise<string> {
    const answer = await this.send(request, this.patience.answerMs);
    if (!answer.response.ok) throw await this.fault(request, answer);
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of piecesOf(answer, this.patience.pieceMs)) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > mostXmlBytes) throw new S3Fault(`${request.method} ${request.key}: the answer is too long`);
    }
    return Buffer.concat(pieces).toString();
  }

  private async send({ method, key, query, headers, body }: S3Request, ms: number): Promise<S3Response> {
    const { origin, bucket, prefix } = this.place;
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
    const url = `${origin}/${bucket}${key === '' ? '' : `/${prefix}${key}`}${search}`;
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
