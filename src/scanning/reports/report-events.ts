import { maxTargets } from '../issues/finding-rows.js';
import type { NewEvent } from '../scan-events/event-rows.js';
import type { SpooledFinding } from './spooled-findings.js';
import type { Report } from './report-finding.js';
import { shortened } from './report-text.js';

// Unspecified: the time of a report's events. It is the time of the import: the report's own may lie before the retention.

/** The most events that an import writes: one for each finding that may be kept, its start, its end, and a tool's failure. */
export function mostEvents({ bracketed, failures }: Pick<Report, 'bracketed' | 'failures'>, findings: number): number {
  return findings + (bracketed ? 2 : 1) + (failures.length > 0 ? 1 : 0);
}

/** The event of one finding, without its issue. */
export function toFindingEvent({ event }: SpooledFinding, assetId: string): NewEvent {
  return { ...event, level: 'INFO', stage: 'EXECUTION', assetIds: [assetId] };
}

/** The event before all findings. */
export function startEvent(tool: string, findings: number): NewEvent {
  const description = `A report of ${tool} that holds ${findings} findings is imported.`;
  return { title: `Import of a report of ${tool}`, description, level: 'INFO', stage: 'CONFIGURATION' };
}

const maxFailures = 10_000;

/** The event of a tool that says that it did not complete. */
export function failureEvent(tool: string, failures: string[]): NewEvent {
  const description = shortened(failures.join('\n\n'), maxFailures);
  return { title: `${tool} did not get to its end`, description, level: 'ERROR', stage: 'EXECUTION' };
}

/** The event after all findings; a warning where a part of the report was not kept. */
export function endEvent(
  tool: string,
  counts: { created: number; seen: number; skipped: number; targetsCut: number },
): NewEvent {
  const { created, seen, skipped, targetsCut } = counts;
  const kept = `${created} findings are new, ${seen} were known, and nothing was made of ${skipped}.`;
  const cut = ` ${targetsCut} targets were more than the ${maxTargets} that an issue keeps.`;
  return {
    title: `The report of ${tool} is imported`,
    description: targetsCut > 0 ? kept + cut : kept,
    level: skipped + targetsCut > 0 ? 'WARNING' : 'INFO',
    stage: 'EXECUTION',
  };
}
