import type { NewEvent } from '../scan-events/event-rows.js';
import type { SpooledFinding } from './finding-spool.js';

// Not shown: when the events of a report are; when it was imported. What a report says of its own time may lie before all
// that is kept of events.

/** What is told of one finding. */
export function toFindingEvent({ event }: SpooledFinding, assetId: string, issueId: string): NewEvent {
  return { ...event, level: 'INFO', stage: 'EXECUTION', assetIds: [assetId], issueIds: [issueId] };
}

/** What is told before all findings. */
export function startEvent(tool: string, findings: number): NewEvent {
  const description = `A report of ${tool} that holds ${findings} findings is imported.`;
  return { title: `Import of a report of ${tool}`, description, level: 'INFO', stage: 'CONFIGURATION' };
}

/** What is told behind all findings; a warning where some were skipped. */
export function endEvent(tool: string, counts: { created: number; seen: number; skipped: number }): NewEvent {
  const { created, seen, skipped } = counts;
  const description = `${created} findings are new, ${seen} were known, and nothing was made of ${skipped}.`;
  const level = skipped > 0 ? 'WARNING' : 'INFO';
  return { title: `The report of ${tool} is imported`, description, level, stage: 'EXECUTION' };
}
