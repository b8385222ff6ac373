import { Injectable } from '@nestjs/common';
import type { ErrorAnswer } from '../errors/error-answer.js';
import { headersOf } from '../http/answer-headers.js';
import { DefaultHeaders } from '../http/default-headers.js';
import { jsonOf } from '../http/json-text.js';
import { RequestLog } from '../http/request-log.js';
import type { DirectRoute, Exchange } from './direct-route-list.js';

export interface DirectExchange extends Exchange {
  readonly requestId: string;
  readonly startedAt: number;
}

export type Outcome = Pick<ErrorAnswer, 'status' | 'cause'> & {
  body: unknown;
  headers?: Record<string, string>;
  code?: string;
};

/** Writes the answers to direct requests, and records them, as Express and the pipeline do for all others. */
@Injectable()
export class DirectAnswers {
  constructor(
    private readonly headers: DefaultHeaders,
    private readonly log: RequestLog,
  ) {}

  /** Sends the outcome, unless the caller has left, and logs and measures the request. */
  give({ path: route }: DirectRoute, exchange: DirectExchange, { status, body, headers, code, cause }: Outcome): void {
    const { request, response, requestId, startedAt } = exchange;
    const abandoned = response.destroyed;
    if (!abandoned) {
      const text = jsonOf(body);
      response.writeHead(status, this.headersOf(exchange, text, { ...headers, ...headersOf(body) })).end(text);
    }
    const milliseconds = performance.now() - startedAt;
    this.log.record({ request, route, requestId, status, milliseconds, abandoned, code, cause });
  }

  /** As `writeHead` takes them: names and values in turn. */
  private headersOf({ request, requestId }: DirectExchange, text: string, own: Record<string, string>): string[] {
    return [
      ...this.headers.listOf(this.headers.originOf(request)),
      ...Object.entries(own).flat(),
      'Cache-Control',
      'no-store',
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(Buffer.byteLength(text)),
      'x-request-id',
      requestId,
    ];
  }
}
