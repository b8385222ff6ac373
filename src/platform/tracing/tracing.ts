import type { IncomingMessage } from 'node:http';

/** A request whose answer is known. */
export interface TracedAnswer {
  request: Pick<IncomingMessage, 'method'>;
  /** The pattern of its route; `none` where none matched. */
  route: string;
  status: number;
}

/** A job, and the trace that it continues. */
export interface TracedJob {
  task: string;
  id: string;
  attempt: number;
  /** The `traceparent` of its queuer, if that was traced. */
  traceparent: unknown;
}

/** A request to another server. The rest of its address may be a credential. */
export interface TracedExchange {
  method: string;
  host: string;
  port: number;
}

/**
 * Makes the spans of a traced process: of each request and each job, and below these of their statements and requests
 * to other servers. A `traceparent` is that of W3C Trace Context.
 */
export interface Tracing {
  /** Spans that were sent to the collector, and those that were lost. */
  readonly counts: Readonly<{ exported: number; dropped: number }>;
  /** Handles a request in a span. It continues the caller's trace. */
  request(request: IncomingMessage, handle: () => void): void;
  /** Continues a request whose body arrived by events, which lead out of its span. */
  resume(request: IncomingMessage, handle: () => void): void;
  /** Ends the span of a request, once, and returns the id of its trace. */
  endRequest(answer: TracedAnswer): string | undefined;
  job<T>(job: TracedJob, work: () => Promise<T>): Promise<T>;
  statement<T>(name: string, work: (traceparent: string | undefined) => Promise<T>): Promise<T>;
  exchange<T extends { status: number }>(
    exchange: TracedExchange,
    work: (traceparent: string | undefined) => Promise<T>,
  ): Promise<T>;
  /** The fields of log lines about the current trace. */
  logFields(): Record<string, string>;
  /** Sends the waiting spans, for a few seconds at most. */
  stop(): Promise<void>;
}

let current: Tracing | undefined;

/** The tracing of this process; undefined if nothing is traced, which costs nothing. */
export function tracing(): Tracing | undefined {
  return current;
}

/** Traces from now on, or no more. */
export function traceBy(one: Tracing | undefined): void {
  current = one;
}
