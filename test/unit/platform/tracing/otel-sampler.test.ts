import { ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from '@jest/globals';
import { samplerOf } from '../../../../src/platform/tracing/otel-sampler.js';
import type { TraceSampler } from '../../../../src/config/trace-settings.js';

const low = '0'.repeat(31) + '1';
const high = 'f'.repeat(8) + '0'.repeat(24);

/** Whether a sampler takes a trace with this id, given the caller's decision. */
function takes(sampler: TraceSampler, traceId: string, decided?: TraceFlags): boolean {
  const parent = { traceId, spanId: '1'.repeat(16), traceFlags: decided ?? TraceFlags.NONE, isRemote: true };
  const context = decided === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
  const { decision } = samplerOf({ sampler, ratio: 0.5 }).shouldSample(context, traceId, 'a', SpanKind.SERVER, {}, []);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
}

describe('samplerOf', () => {
  it.each([
    ['always_on', [true, true]],
    ['always_off', [false, false]],
    ['traceidratio', [true, false]],
    ['parentbased_always_on', [true, true]],
    ['parentbased_always_off', [false, false]],
    ['parentbased_traceidratio', [true, false]],
  ] as const)('%s takes of two new traces %j', (sampler, expected) => {
    expect([takes(sampler, low), takes(sampler, high)]).toEqual(expected);
  });

  it('follows the caller if its name says so', () => {
    expect(takes('parentbased_always_off', low, TraceFlags.SAMPLED)).toBe(true);
    expect(takes('parentbased_always_on', low, TraceFlags.NONE)).toBe(false);
    expect(takes('traceidratio', low, TraceFlags.NONE)).toBe(true);
    expect(takes('always_off', low, TraceFlags.SAMPLED)).toBe(false);
  });
});
