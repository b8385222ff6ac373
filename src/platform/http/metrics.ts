import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { tracing } from '../tracing/tracing.js';
import { serviceVersion } from './service-life.js';

interface CacheState {
  hits: number;
  misses: number;
  bytes: number;
  entries: number;
  evictions: number;
}

type Aggregator = 'sum' | 'max' | 'min' | 'first';
type Look<T> = () => T | Promise<T>;

interface Sample {
  labels: string[];
  value: number;
}

interface Series {
  labels: string[];
  look: Look<Sample[]>;
  aggregator?: Aggregator | undefined;
}

const only = (value: number | undefined): Sample[] => (value === undefined ? [] : [{ labels: [], value }]);

/**
 * The samples, or none if they cannot be read: the other metrics are still needed while the database is unreachable.
 */
async function known(look: Look<Sample[]>): Promise<Sample[]> {
  try {
    return await look();
  } catch {
    return [];
  }
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
    this.watchEach('build_info', 'The versions of the service and of Node.js; always 1', {
      labels: ['version', 'node'],
      aggregator: 'first',
      look: () => [{ labels: [serviceVersion, process.version], value: 1 }],
    });
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
    this.countEach('response_cache_reads_total', 'Reads of cacheable routes, by whether the cache had the response', {
      labels: ['result'],
      look: () => {
        const { hits, misses } = look();
        return [
          { labels: ['hit'], value: hits },
          { labels: ['miss'], value: misses },
        ];
      },
    });
    this.watch('response_cache_bytes', 'Memory that cached responses take', () => look().bytes);
    this.watch('response_cache_entries', 'Number of cached responses', () => look().entries);
    this.count(
      'response_cache_evictions_total',
      'Cached responses that were evicted for others',
      () => look().evictions,
    );
  }

  /**
   * Adds a gauge. It is computed when it is read, left out where it is unknown, and summed over several workers unless
   * `aggregator` says otherwise.
   */
  watch(name: string, help: string, look: Look<number | undefined>, aggregator?: Aggregator): void {
    this.watchEach(name, help, { labels: [], aggregator, look: async () => only(await look()) });
  }

  /** Adds a counter, which only grows while the process runs. */
  count(name: string, help: string, look: Look<number>): void {
    this.countEach(name, help, { labels: [], look: async () => only(await look()) });
  }

  /** Like `watch`, with a figure for each set of labels. */
  watchEach(name: string, help: string, { labels, look, aggregator = 'sum' }: Series): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: labels,
      aggregator,
      registers: [],
      async collect() {
        const samples = await known(look);
        gauge.reset();
        // Without labels, a reset leaves a 0.
        if (samples.length === 0 && labels.length === 0) gauge.remove();
        for (const { labels: values, value } of samples) gauge.labels(...values).set(value);
      },
    });
    this.registry.registerMetric(gauge);
  }

  /** Like `count`, with a figure for each set of labels. */
  countEach(name: string, help: string, { labels, look }: Omit<Series, 'aggregator'>): void {
    if (!name.endsWith('_total')) throw new Error(`A counter is named like ${name}_total`);
    const counter: Counter = new Counter({
      name,
      help,
      labelNames: labels,
      registers: [],
      async collect() {
        const samples = await known(look);
        counter.reset();
        for (const { labels: values, value } of samples) counter.labels(...values).inc(value);
      },
    });
    this.registry.registerMetric(counter);
  }

  private watchTraces(): void {
    const on = tracing();
    if (!on) return;
    this.count('trace_spans_exported_total', 'Spans of traces that the collector accepted', () => on.counts.exported);
    this.count('trace_spans_dropped_total', 'Spans of traces that were lost', () => on.counts.dropped);
  }

  onModuleDestroy(): void {
    this.registry.clear();
  }
}
