import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { requestUnderWay } from './request-under-way.js';

type Step = () => Promise<void>;

/**
 * Steps for each request that may have changed something, after its handler and before its answer; even where the handler
 * failed, as its earlier writes may have come through. Without steps, requests do not pass here.
 */
@Injectable()
export class BeforeAnswers implements NestInterceptor {
  private readonly steps: Step[] = [];

  constructor(private readonly application: ApplicationConfig) {}

  /** Adds a step, which must not fail. Only call it while the application is being built, as Nest asks once. */
  add(step: Step): void {
    if (this.steps.length === 0) this.application.addGlobalInterceptor(this);
    this.steps.push(step);
  }

  /** Returns the result of `handle`, or throws as it does, once the steps are done. */
  private async run<T>(handle: () => Promise<T>): Promise<T> {
    try {
      return await handle();
    } finally {
      for (const step of this.steps) await step();
    }
  }

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (!requestUnderWay()) return next.handle();
    return from(this.run(() => lastValueFrom(next.handle(), { defaultValue: undefined })));
  }
}
