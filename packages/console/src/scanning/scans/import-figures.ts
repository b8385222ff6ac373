import type { ImportResult } from '@store-service/sdk';
import { texts } from '../../texts/texts.js';

type Counts = ImportResult['bySeverity']['created'];

export const totalOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The outcome of imports in a sentence: the figures that their dry run showed. */
export function importInWords(results: readonly ImportResult[]): string {
  const sumOf = (kind: keyof ImportResult['bySeverity']) =>
    results.reduce((sum, { bySeverity }) => sum + totalOf(bySeverity[kind]), 0);
  const [again, known, aside] = [sumOf('reopened'), sumOf('seen'), sumOf('setAside')];
  return [
    texts.scans.newIssues(sumOf('created')),
    ...(again ? [texts.scans.openAgain(again)] : []),
    texts.scans.known(known),
    ...(aside ? [texts.scans.setAside(aside)] : []),
  ].join(', ');
}
