import type { Color } from '../output/output.js';
import type { Column } from '../output/table.js';
import { createdColumn, idColumn } from './common-columns.js';
import type { ScanEventSummary } from '@store-service/sdk';

const levelColors: Partial<Record<string, Color>> = { ERROR: 'red', WARNING: 'yellow', DEBUG: 'grey' };

export function levelColor({ level }: { level: string }): Color | undefined {
  return levelColors[level];
}

/** The columns in the specification of the command line. */
export const eventColumns: readonly Column<ScanEventSummary>[] = [
  idColumn,
  createdColumn,
  { head: 'LEVEL', value: ({ level }) => level, color: levelColor, width: 7, least: 7 },
  { head: 'STAGE', value: ({ stage }) => stage, width: 15, least: 9 },
  { head: 'TITLE', value: ({ title }) => title, width: 40, least: 9 },
];
