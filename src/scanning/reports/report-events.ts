import { maxTargets } from '../issues/finding-rows.js';
import type { NewEvent } from '../scan-events/event-rows.js';
import type { SpooledFinding } from './finding-spool.js';
import type { Report } from './report-finding.js';
import { shortened } from './report-text.js';

// Not shown: when the events of a report are; when it was imported. What a report says of its own time may lie before all
// that is kept of events.

/** How many events an import writes at most: of each finding kept, of its start and end, and of a tool's failure. */
export function mostEvents(
  { bracketed, failures }: Pick<Report, 'bracketed' | 'failures'>,
  { findings, skipped }: { findings: number; skipped: { count: number } },
): number {
  return findings - skipped.count + (bracketed ? 2 : 1) + (failures.length > 0 ? 1 : 0);
}

/** What is told of one finding. */
export function toFindingEvent({ event }: SpooledFinding, assetId: string, issueId: string): NewEvent {
  return { ...event, level: 'INFO', stage: 'EXECUTION', assetIds: [assetId], issueIds: [issueId] };
}

/** What is told before all findings. */
export function startEvent(tool: string, findings: number): NewEvent {
  const description = `A report of ${tool} that holds ${findings} findings is imported.`;
  return { title: `Import of a report of ${tool}`, description, level: 'INFO', stage: 'CONFIGURATION' };
}

const maxFailures = 10_000;

/** What is told where the tool itself says that it did not get to its end. */
export function failureEvent(tool: string, failures: string[]): NewEvent {
  const description = shortened(failures.join('\n\n'), maxFailures);
  return { title: `${tool} did not get to its end`, description, level: 'ERROR', stage: 'EXECUTION' };
}

/** What is told behind all findings; a warning where something of the report was not kept. */
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
