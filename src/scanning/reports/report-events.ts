import { maxTargets } from '../issues/finding-rows.js';
import type { NewEvent } from '../scan-events/event-rows.js';
import type { SpooledFinding } from './spooled-findings.js';
import type { Report, ReportTool } from './report-finding.js';
import { shortened } from './report-text.js';

// Unspecified: the time of a report's events. It is the time of the import: the report's own may lie before the
// retention.

/**
 * The most events that an import writes: one for each finding that may be kept; and each tool's start, end, and
 * failure.
 */
export function mostEvents({ bracketed, tools }: Pick<Report, 'bracketed' | 'tools'>, findings: number): number {
  return findings + tools.length * (bracketed ? 2 : 1) + tools.filter((tool) => notRun(tool) !== null).length;
}

/** Why a tool did not run, or not to its end, in a line; null if it did. */
export function notRun({ failures, silence }: ReportTool): string | null {
  return failures.length > 0 ? failures.join('; ').replaceAll('\n', '; ') : silence;
}

/** The event of one finding, without its issue. */
export function toFindingEvent({ event }: SpooledFinding, assetId: string): NewEvent {
  return { ...event, level: 'INFO', stage: 'EXECUTION', assetIds: [assetId] };
}

/** The event before all findings of a tool; `tools` are all of the report. */
export function startEvent(tool: string, tools: string[], findings: number): NewEvent {
  const description = `A report of ${tools.join(', ')} with ${findings} findings is being imported.`;
  return { title: `Import of a report of ${tool}`, description, level: 'INFO', stage: 'CONFIGURATION' };
}

const maxFailures = 10_000;

/** The event of a tool that did not run or complete. */
export function failureEvent({ name, failures, silence }: ReportTool): NewEvent {
  const description = shortened(failures.join('\n\n') || (silence ?? ''), maxFailures);
  const title = failures.length > 0 ? `${name} did not finish` : `The report does not say whether ${name} ran`;
  return { title, description, level: failures.length > 0 ? 'ERROR' : 'WARNING', stage: 'EXECUTION' };
}

/** The event after all findings; a warning where a part of the report was not kept. */
export function endEvent(
  tool: string,
  counts: { created: number; seen: number; skipped: number; targetsCut: number },
): NewEvent {
  const { created, seen, skipped, targetsCut } = counts;
  const kept = `${created} findings are new, ${seen} were known, and ${skipped} were skipped.`;
  const cut = ` ${targetsCut} targets were dropped, since an issue keeps at most ${maxTargets}.`;
  return {
    title: `The report of ${tool} was imported`,
    description: targetsCut > 0 ? kept + cut : kept,
    level: skipped + targetsCut > 0 ? 'WARNING' : 'INFO',
    stage: 'EXECUTION',
  };
}
