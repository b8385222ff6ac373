import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { TraceSettings } from '../../config/trace-settings.js';

/** The sampler of the settings. */
export function samplerOf({ sampler, ratio }: Pick<TraceSettings, 'sampler' | 'ratio'>): Sampler {
  const ownChoice = sampler.replace('parentbased_', '') as 'always_on' | 'always_off' | 'traceidratio';
  const samplers = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = samplers[ownChoice]();
  return sampler === ownChoice ? root : new ParentBasedSampler({ root });
}
