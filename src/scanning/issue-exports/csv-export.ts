import { byteOrderMark, csvCell } from '../../platform/http/csv-cell.js';
import type { MakeWriter } from './export-formats.js';

const columns = [
  'id',
  'severity',
  'status',
  'name',
  'rule',
  'asset',
  'place',
  'category',
  'identifiers',
  'tool',
  'first_seen',
  'last_seen',
  'resolved_at',
  'by',
  'why',
  'link',
];

/** Comma-separated values, by RFC 4180. */
export const csvExport: MakeWriter = ({ linkTo }) => ({
  head: () => `${byteOrderMark}${columns.join(',')}\r\n`,
  issue: (row) => {
    const cells = [
      row.id,
      row.severity,
      row.status,
      row.name,
      row.rule,
      row.assetName,
      row.place,
      row.category,
      row.identifiers.map(({ value }) => value).join(' '),
      row.tool,
      row.createdAt.toISOString(),
      row.lastSeenAt.toISOString(),
      row.settledAt?.toISOString() ?? null,
      row.settledBy,
      row.why,
      linkTo(row.id),
    ];
    return `${cells.map(csvCell).join(',')}\r\n`;
  },
  tail: () => '',
});
