import { Injectable, Optional } from '@nestjs/common';
import type { BodySource } from '../net/redirects.js';
import { OutboundHttp } from '../net/outbound-http.js';
import { OutsideCalls } from '../net/outside-calls.js';
import { TargetRefused, TargetUnreachable } from '../net/target-errors.js';
import { type SealedParameters, secretBytes, secretsAt } from './signing-secrets.js';
import { signatureHeaders } from './signature.js';
import type { AttemptResult } from './webhook-attempt.entity.js';

const timeoutMs = 15_000;
const keptBytes = 20_000;

/** The outcome of a POST. */
export interface Outcome extends AttemptResult {
  delivered: boolean;
  /** The answer's `Retry-After`. */
  retryAfter: string | undefined;
}

/** Makes the POST of an attempt. */
@Injectable()
export class WebhookPost {
  private readonly outbound: Pick<OutboundHttp, 'send'>;

  constructor(outbound: OutboundHttp, @Optional() outside?: OutsideCalls) {
    this.outbound = outside?.around('webhook', outbound) ?? outbound;
  }

  /**
   * Sends the body to the receiver's address, with its headers over the default Content-Type, signed where it has a secret.
   * Throws where `signal` aborts it, or the body itself cannot be read.
   */
  async send(id: string, parameters: SealedParameters, body: BodySource, signal: AbortSignal): Promise<Outcome> {
    const started = Date.now();
    const headers = [...ownHeaders(parameters), ...(await signature(id, parameters, body))];
    const watched = new WatchedBody(body);
    const answer = new Answer();
    try {
      const { body: bytes } = await this.outbound.send({
        url: parameters.url,
        method: 'POST',
        headers,
        body: watched,
        maxRedirects: 0,
        timeoutMs,
        maxBytes: keptBytes,
        onTooLarge: 'truncate',
        signal,
        tellsTrace: true,
        onAnswer: (status, answered) => answer.set(status, answered),
      });
      return answer.outcome(started, bytes, null);
    } catch (error) {
      signal.throwIfAborted();
      if (watched.failure) throw watched.failure;
      if (error instanceof TargetRefused || error instanceof TargetUnreachable) {
        return answer.outcome(started, null, error.message);
      }
      throw error;
    }
  }
}

/** A body that remembers its own failure, to tell it from the receiver's. */
class WatchedBody implements BodySource {
  failure: Error | undefined;
  readonly length: number;

  constructor(private readonly body: BodySource) {
    this.length = body.length;
  }

  open() {
    return this.body.open().once('error', (error: Error) => {
      this.failure = error;
    });
  }
}

/** The facts about the receiver's answer. A 2xx is a success as soon as it arrives, whatever the body does. */
class Answer {
  private status: number | null = null;
  private retryAfter: string | undefined;

  set(status: number, headers: Record<string, string>): void {
    this.status = status;
    this.retryAfter = headers['retry-after'];
  }

  outcome(started: number, bytes: Buffer | null, failure: string | null): Outcome {
    const { status: statusCode, retryAfter } = this;
    const delivered = statusCode !== null && statusCode >= 200 && statusCode < 300;
    const error = delivered ? null : statusCode === null ? failure : sentenceOf(statusCode);
    const response = bytes && keptText(bytes);
    return { delivered, durationMs: Date.now() - started, statusCode, error, response, retryAfter };
  }
}

function sentenceOf(status: number): string {
  const redirect = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
  return `The receiver responded with ${status}${redirect}`;
}

/** The answer as text that PostgreSQL can store, cut to our bound. */
function keptText(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes).replaceAll('\0', '\ufffd');
  return new TextDecoder().decode(Buffer.from(text).subarray(0, keptBytes), { stream: true });
}

function ownHeaders({ headers }: SealedParameters): [string, string][] {
  const own = headers.map(({ name, value }): [string, string] => [name, value]);
  const overridden = headers.some(({ name }) => name.toLowerCase() === 'content-type');
  return overridden ? own : [['Content-Type', 'application/json'], ...own];
}

async function signature(id: string, parameters: SealedParameters, body: BodySource): Promise<[string, string][]> {
  const time = new Date();
  const keys = secretsAt(parameters, time).flatMap((secret) => secretBytes(secret) ?? []);
  return keys.length > 0 ? signatureHeaders({ id, time, keys }, body.open() as AsyncIterable<Buffer>) : [];
}
