import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { tracing } from '../tracing/tracing.js';

interface CacheState {
  hits: number;
  misses: number;
  bytes: number;
  entries: number;
  evictions: number;
}

/** Observes the durations of one kind of answer. */
export type TimeSeries = Pick<Histogram.Internal<string>, 'observe'>;

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The interval at which the event loop's lag is measured: the usual 10 ms would keep an idle process busy. */
const loopCheckMs = 100;

/** The metrics at `/metrics` for Prometheus: those of the process, and the duration of each request. */
@Injectable()
export class Metrics implements OnModuleDestroy {
  readonly registry = new Registry();

  private readonly duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  private readonly times = new Map<string, Map<number, TimeSeries>>();

  constructor() {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: loopCheckMs });
    this.watch('workers', 'Processes of this node that serve', () => 1);
    this.watchTraces();
  }

  /** The durations of a route's answers with a status; unknown methods count as one. */
  timesOf(sent: string, route: string, status: number): TimeSeries {
    const method = knownMethods.has(sent) ? sent : 'OTHER';
    const byStatus = this.times.get(`${method} ${route}`) ?? new Map<number, TimeSeries>();
    const times = byStatus.get(status) ?? this.duration.labels(method, route, String(status));
    this.times.set(`${method} ${route}`, byStatus.set(status, times));
    return times;
  }

  /** Adds the figures of the response cache, which are computed when they are read. */
  watchCache(look: () => CacheState): void {
    const reads = new Counter({
      name: 'response_cache_reads_total',
      help: 'Reads of cacheable routes, by whether memory had the answer',
      labelNames: ['result'],
      registers: [],
      collect() {
        const { hits, misses } = look();
        this.reset();
        this.inc({ result: 'hit' }, hits);
        this.inc({ result: 'miss' }, misses);
      },
    });
    this.registry.registerMetric(reads);
    const gauge = (name: 'bytes' | 'entries' | 'evictions', help: string) =>
      this.watch(`response_cache_${name}`, help, () => look()[name]);
    gauge('bytes', 'Memory that kept answers take');
    gauge('entries', 'Number of kept answers');
    gauge('evictions', 'Answers that made way for others since the start');
  }

  /** Adds a figure that is computed when it is read, and summed over several workers unless `aggregator` says otherwise. */
  watch(name: string, help: string, look: () => number, aggregator: 'sum' | 'max' | 'min' = 'sum'): void {
    const gauge = new Gauge({
      name,
      help,
      aggregator,
      registers: [],
      collect() {
        this.set(look());
      },
    });
    this.registry.registerMetric(gauge);
  }

  private watchTraces(): void {
    const on = tracing();
    if (!on) return;
    this.watch('trace_spans_exported', 'Spans of traces that the collector took', () => on.counts.exported);
    this.watch('trace_spans_dropped', 'Spans of traces that were lost', () => on.counts.dropped);
  }

  onModuleDestroy(): void {
    this.registry.clear();
  }
}
