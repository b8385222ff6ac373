import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** What Prometheus reads at `/metrics`: the process's own figures and the time of each request. */
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

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  onModuleDestroy(): void {
    this.registry.clear();
  }

  /** Measures every request under its route's pattern, so that the number of series stays bounded. */
  readonly measure: RequestHandler = (request, response, next) => {
    const end = this.duration.startTimer();
    response.on('close', () => {
      const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
      end({ method: request.method, route, status: response.statusCode });
    });
    next();
  };
}
