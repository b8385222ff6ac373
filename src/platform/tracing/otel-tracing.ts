import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import type { TraceSettings } from '../../config/trace-settings.js';
import { BoundedSpans } from './otel-exporter.js';
import { samplerOf } from './otel-sampler.js';
import type { TracedAnswer, TracedExchange, TracedJob, Tracing } from './tracing.js';

const flushMs = 3_000;
const pathCharacters = 200;
/** Requests that machines make every second or two. */
const unwatched = /^\/(?:health|metrics)\b/;
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A request or a job, from its beginning to its end. Work that it leaves running belongs to no span. */
interface Work {
  span: Span;
  isOver: boolean;
}

/** The span of the code in progress. */
interface Place {
  span: Span;
  work: Work;
}

/** One for the process: up to Node 22, each promise pays for every storage there was. */
const places = new AsyncLocalStorage<Place>();

function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return (end < 0 ? url : url.slice(0, end)).slice(0, pathCharacters);
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** The failure without its message, which may quote a caller. */
function kindOf(error: unknown): string {
  const { code, reason, name } = error as { code?: unknown; reason?: unknown; name?: unknown };
  return [code, reason, name].find((one): one is string => typeof one === 'string') ?? '_OTHER';
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}

/** Traces by OpenTelemetry: sends spans to a collector by OTLP over HTTP. */
export class OtelTracing implements Tracing {
  private readonly tracer: Tracer;
  private readonly provider: TracerProvider;
  private readonly spans: BoundedSpans;
  private readonly propagator = new W3CTraceContextPropagator();
  private readonly requests = new WeakMap<TracedAnswer['request'], Work>();

  constructor(settings: TraceSettings & { url: string }) {
    this.spans = new BoundedSpans(settings);
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.instance.id': randomUUID(), ...settings.attributes }),
      sampler: samplerOf(settings),
      spanProcessors: [this.spans],
    });
    this.tracer = this.provider.getTracer('store-service');
  }

  get counts(): Tracing['counts'] {
    return this.spans.counts;
  }

  request(request: IncomingMessage, handle: () => void): void {
    const path = pathOf(request);
    if (unwatched.test(path)) return handle();
    const method = methods.has(request.method ?? '') ? String(request.method) : '_OTHER';
    const attributes = { 'http.request.method': method, 'url.path': path, 'url.scheme': 'http' };
    const parent = this.propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const work = this.begin(method, SpanKind.SERVER, attributes, parent);
    this.requests.set(request, work);
    places.run({ span: work.span, work }, handle);
  }

  resume(request: IncomingMessage, handle: () => void): void {
    const work = this.requests.get(request);
    if (work) places.run({ span: work.span, work }, handle);
    else handle();
  }

  endRequest({ request, route, status }: TracedAnswer): string | undefined {
    const work = this.requests.get(request);
    if (!work) return undefined;
    const { span } = work;
    if (!work.isOver) {
      work.isOver = true;
      if (route !== 'none') span.updateName(`${request.method} ${route}`).setAttribute('http.route', route);
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) fail(span, String(status));
      span.end();
    }
    return span.spanContext().traceId;
  }

  async job<T>({ task, id, attempt, traceparent }: TracedJob, work: () => Promise<T>): Promise<T> {
    const attributes = {
      'messaging.system': 'graphile-worker',
      'messaging.operation.type': 'process',
      'messaging.operation.name': 'process',
      'messaging.destination.name': task,
      'messaging.message.id': id,
      'job.attempt': attempt,
    };
    const parent = this.propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
    const job = this.begin(`process ${task}`, SpanKind.CONSUMER, attributes, parent);
    try {
      return await places.run({ span: job.span, work: job }, () => settled(job.span, work));
    } finally {
      job.isOver = true;
    }
  }

  statement<T>(name: string, work: (traceparent: string | undefined) => Promise<T>): Promise<T> {
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
    return this.below(name, attributes, (_span, traceparent) => work(traceparent));
  }

  exchange<T extends { status: number }>(
    { method, host, port }: TracedExchange,
    work: (traceparent: string | undefined) => Promise<T>,
  ): Promise<T> {
    const attributes = { 'http.request.method': method, 'server.address': host, 'server.port': port };
    return this.below(method, attributes, async (span, traceparent) => {
      const answer = await work(traceparent);
      span?.setAttribute('http.response.status_code', answer.status);
      if (span && answer.status >= 400) fail(span, String(answer.status));
      return answer;
    });
  }

  logFields(): Record<string, string> {
    const place = this.place();
    return place ? { trace_id: place.span.spanContext().traceId } : {};
  }

  async stop(): Promise<void> {
    await Promise.race([this.provider.shutdown().catch(() => undefined), sleep(flushMs, undefined, { ref: false })]);
  }

  /** Undefined if nothing is traced, or the traced request or job is over. */
  private place(): Place | undefined {
    const place = places.getStore();
    return place?.work.isOver ? undefined : place;
  }

  private begin(name: string, kind: SpanKind, attributes: Attributes, parent: Context): Work {
    return { span: this.tracer.startSpan(name, { kind, attributes }, parent), isOver: false };
  }

  /** Does `work` in a client's span below that of the request or job in progress; without one if there is none. */
  private below<T>(
    name: string,
    attributes: Attributes,
    work: (span: Span | undefined, traceparent: string | undefined) => Promise<T>,
  ): Promise<T> {
    const place = this.place();
    if (!place) return work(undefined, undefined);
    const parent = trace.setSpan(ROOT_CONTEXT, place.span);
    const span = this.tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    return settled(span, () => work(span, traceparentOf(span)));
  }
}

/** The outcome of `work`, at which the span ends. */
async function settled<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    fail(span, kindOf(error));
    throw error;
  } finally {
    span.end();
  }
}
