import { Logger } from '@nestjs/common';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';

const log = new Logger('Traces');
/** The most spans that wait: some megabytes. */
const mostWaiting = 2_048;
const atOnce = 512;
const delayMs = 1_000;
/** The time limit of one export, retries included. */
const timeoutMs = 10_000;

interface Collector {
  url: string;
  headers: Record<string, string>;
}

/** The exporter, with a count of the spans' fates. It logs when the collector goes away, and when it is back. */
class CountedExporter implements SpanExporter {
  waiting = 0;
  private isAway = false;

  constructor(
    private readonly counts: { exported: number; dropped: number },
    private readonly exporter: SpanExporter,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.waiting -= spans.length;
    this.exporter.export(spans, (result) => {
      const failed = result.code === ExportResultCode.FAILED;
      this.counts[failed ? 'dropped' : 'exported'] += spans.length;
      this.note(failed, result.error);
      // A failure has been dealt with: the processor would hand it to a handler that prints it.
      done({ code: ExportResultCode.SUCCESS });
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  private note(failed: boolean, error: Error | undefined): void {
    if (failed === this.isAway) return;
    this.isAway = failed;
    if (failed) log.warn(`The collector takes no traces, which are dropped until it does: ${error?.message}`);
    else log.warn('The collector takes traces again');
  }
}

/** Keeps spans until they are sent, a bounded number: further ones are dropped and counted. */
export class BoundedSpans implements SpanProcessor {
  readonly counts = { exported: 0, dropped: 0 };
  private readonly exporter: CountedExporter;
  private readonly batches: SpanProcessor;

  constructor({ url, headers }: Collector) {
    const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: timeoutMs, concurrencyLimit: 2 });
    this.exporter = new CountedExporter(this.counts, exporter);
    this.batches = new BatchSpanProcessor({
      exporter: this.exporter,
      maxQueueSize: mostWaiting,
      maxExportBatchSize: atOnce,
      scheduledDelayMillis: delayMs,
      exportTimeoutMillis: timeoutMs + delayMs,
    });
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.exporter.waiting >= mostWaiting) {
      this.counts.dropped += 1;
      return;
    }
    this.exporter.waiting += 1;
    this.batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.batches.shutdown();
  }
}
