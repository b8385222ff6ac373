import { escapeUTF8 } from 'entities/escape';
import type { IssueExportCount, IssueExportRow } from '../issues/issue-export-rows.repository.js';
import { issueSeverities, type IssueStatus, issueStatuses } from '../vocabulary.js';
import type { MakeWriter } from './export-formats.js';

const style = `
body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem; font: 14px/1.45 system-ui, sans-serif; color: #111827; }
h1 { margin: 0; font-size: 1.6rem; } h2 { margin: 2rem 0 .5rem; font-size: 1.15rem; }
table { width: 100%; border-collapse: collapse; } thead { display: table-header-group; }
th, td { padding: .35rem .5rem; border-bottom: 1px solid #d1d5db; text-align: left; vertical-align: top; }
th { background: #f3f4f6; } td { overflow-wrap: anywhere; } .number { text-align: right; }
.severity { font-weight: 600; white-space: nowrap; } .soft { color: #4b5563; }
.CRITICAL { color: #991b1b; } .HIGH { color: #c2410c; } .MEDIUM { color: #a16207; } .LOW { color: #1d4ed8; }
.INFO { color: #4b5563; } a { color: #1d4ed8; } tr { break-inside: avoid; }
@page { margin: 15mm; }
@media print { body { margin: 0; max-width: none; padding: 0; font-size: 10pt; } a { color: inherit; text-decoration: none; } }
`;

const statusWords: Record<IssueStatus, string> = {
  OPEN: 'Open',
  MANUAL_REVIEW: 'In review',
  RESOLVED: 'Resolved',
  IGNORED: 'Ignored',
  FALSE_POSITIVE: 'False positive',
};

const escaped = (text: string): string => escapeUTF8(text.toWellFormed());
const day = (time: Date): string => time.toISOString().slice(0, 10);

function summary(counts: IssueExportCount[]): string {
  const countOf = (severity: string, status: string): number =>
    counts.find((one) => one.severity === severity && one.status === status)?.count ?? 0;
  const heads = issueStatuses.map((status) => `<th class="number">${statusWords[status]}</th>`).join('');
  const rows = issueSeverities.map((severity) => {
    const cells = issueStatuses.map((status) => countOf(severity, status));
    const all = [...cells, cells.reduce((sum, count) => sum + count, 0)];
    return `<tr><td class="severity ${severity}">${severity}</td>${all.map((count) => `<td class="number">${count}</td>`).join('')}</tr>`;
  });
  return `<table><thead><tr><th>Severity</th>${heads}<th class="number">All</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function outcomeOf({ status, settledAt, settledBy, why }: IssueExportRow): string {
  const when = settledAt === null ? '' : ` on ${day(settledAt)}`;
  const who = settledBy === null ? '' : ` by ${escaped(settledBy)}`;
  const reason = why === null ? '' : `<br><span class="soft">${escaped(why)}</span>`;
  return `${statusWords[status]}${when}${who}${reason}`;
}

/** A report for people: one file without scripts, which prints well. */
export const htmlExport: MakeWriter = ({ organization, madeAt, counts, linkTo }) => {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const title = `Issues of ${organization}`;
  const columns = ['Severity', 'Issue', 'Asset and place', 'Identifiers', 'Tool', 'Seen', 'Status'];
  return {
    head: () => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title><style>${style}</style></head><body>
<h1>${escaped(title)}</h1>
<p class="soft">As of ${madeAt.toISOString().slice(0, 16).replace('T', ' ')} UTC: ${total} issues.</p>
<h2>Summary</h2>${summary(counts)}
<h2>Issues</h2><table><thead><tr>${columns.map((column) => `<th>${column}</th>`).join('')}</tr></thead><tbody>`,
    issue: (row) => {
      const place = row.place === null ? '' : `<br><span class="soft">${escaped(row.place)}</span>`;
      const identifiers = row.identifiers.map(({ value }) => escaped(value)).join(', ');
      return (
        `\n<tr><td class="severity ${row.severity}">${row.severity}</td>` +
        `<td><a href="${escaped(linkTo(row.id))}">${escaped(row.name)}</a><br><span class="soft">${escaped(row.rule)}</span></td>` +
        `<td>${escaped(row.assetName)}${place}</td><td>${identifiers}</td><td>${escaped(row.tool ?? '')}</td>` +
        `<td>${day(row.createdAt)}<br>${day(row.lastSeenAt)}</td><td>${outcomeOf(row)}</td></tr>`
      );
    },
    tail: () => '\n</tbody></table></body></html>\n',
  };
};
