import type { TraceSettings } from '../../config/trace-settings.js';
import { traceBy, tracing } from './tracing.js';

/** Begins to trace where the settings name a collector. Nothing of OpenTelemetry is loaded where they do not. */
export async function startTracing(settings: TraceSettings): Promise<void> {
  if (settings.url === undefined) return;
  const { OtelTracing } = await import('./otel-tracing.js');
  traceBy(new OtelTracing({ ...settings, url: settings.url }));
}

/** Sends the spans that wait, for a few seconds at most. */
export async function stopTracing(): Promise<void> {
  await tracing()?.stop();
}
