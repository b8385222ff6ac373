import { setImmediate as othersFirst } from 'node:timers/promises';
import type { FoundAsset } from '../assets/assets.service.js';
import { type FindingRows, toRows } from '../issues/finding-rows.js';
import { beginLine } from '../scan-events/event-line.js';
import { toEventRow } from '../scan-events/event-rows.js';
import type { ScanContext } from '../scans/scan-context.js';
import { toFindingEvent } from './report-events.js';
import type { SpooledFinding } from './spooled-findings.js';

/** A batch of findings, ready to be written. */
export interface PreparedBatch {
  rows: FindingRows;
  /** The event of each finding, without its issue. */
  eventLines: string[];
}

/** Makes all of a batch that can be made before the database says which issues it is of. */
export async function prepare(
  scan: ScanContext,
  batch: SpooledFinding[],
  assets: Map<string, FoundAsset>,
): Promise<PreparedBatch> {
  await othersFirst();
  const assetIdOf = ({ assetUri }: SpooledFinding): string => assets.get(assetUri)?.id ?? '';
  const rows = toRows(batch.map((finding) => ({ ...finding, assetId: assetIdOf(finding) })));
  await othersFirst();
  const eventLines = batch.map((finding, at) =>
    beginLine(scan, toEventRow(scan, toFindingEvent(finding, assetIdOf(finding)), at)),
  );
  return { rows, eventLines };
}
