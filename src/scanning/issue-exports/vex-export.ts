import { randomUUID } from 'node:crypto';
import type { IssueExportRow } from '../issues/issue-export-rows.repository.js';
import type { IssueStatus } from '../vocabulary.js';
import { Commas, compact, type MakeWriter } from './export-formats.js';

/** How many assets a file describes, so that its end stays bounded. */
const mostAssets = 100_000;

interface Analysis {
  state: 'resolved' | 'exploitable' | 'in_triage' | 'false_positive';
  response?: string[];
}

/** Unspecified: which states these are. What nobody has looked at is in triage, and what is ignored will not be fixed. */
const analyses: Record<IssueStatus, Analysis> = {
  OPEN: { state: 'in_triage' },
  MANUAL_REVIEW: { state: 'in_triage' },
  RESOLVED: { state: 'resolved' },
  IGNORED: { state: 'exploitable', response: ['will_not_fix'] },
  FALSE_POSITIVE: { state: 'false_positive' },
};

function analysisOf({ status, why, settledAt }: IssueExportRow): object {
  return compact({ ...analyses[status], detail: why, lastUpdated: settledAt });
}

function vulnerabilityOf(row: IssueExportRow, link: string): object {
  const { id, rule, identifiers, severity, score, tool } = row;
  const cwes = identifiers.filter(({ type }) => type === 'CWE').map(({ value }) => Number(value.replace(/\D/g, '')));
  const cve = identifiers.find(({ type }) => type === 'CVE' || type === 'GHSA')?.value;
  return compact({
    'bom-ref': `issue:${id}`,
    id: cve ?? rule,
    source: compact({ name: tool ?? 'Store Service', url: link }),
    ratings: [compact({ score, severity: severity.toLowerCase(), method: 'other' })],
    cwes: [...new Set(cwes)].filter((cwe) => cwe > 0 && Number.isSafeInteger(cwe)),
    description: row.name,
    detail: row.message ?? row.context,
    created: row.createdAt,
    updated: row.lastSeenAt,
    analysis: analysisOf(row),
    affects: [{ ref: `asset:${row.assetId}` }],
    properties: [
      ...(row.place === null ? [] : [{ name: 'store-service:place', value: row.place }]),
      { name: 'store-service:rule', value: rule },
      { name: 'store-service:status', value: row.status },
    ],
  });
}

/** VEX, as CycloneDX 1.6 has it: the assets follow the vulnerabilities, since only then they are known. */
export const vexExport: MakeWriter = ({ organization, madeAt, linkTo }) => {
  const commas = new Commas();
  const assets = new Map<string, object>();
  return {
    head: () => {
      const tools = { components: [{ type: 'application', name: 'Store Service' }] };
      const component = { type: 'application', name: organization };
      const metadata = JSON.stringify({ timestamp: madeAt, tools, component });
      const serial = `urn:uuid:${randomUUID()}`;
      return (
        `{"bomFormat":"CycloneDX","specVersion":"1.6","serialNumber":"${serial}","version":1,` +
        `"metadata":${metadata},"vulnerabilities":[`
      );
    },
    issue: (row) => {
      if (assets.size < mostAssets) {
        assets.set(row.assetId, { type: 'application', 'bom-ref': `asset:${row.assetId}`, name: row.assetName });
      }
      return `${commas.next()}\n${JSON.stringify(vulnerabilityOf(row, linkTo(row.id)))}`;
    },
    tail: () => `\n],"components":${JSON.stringify([...assets.values()])}}\n`,
  };
};
