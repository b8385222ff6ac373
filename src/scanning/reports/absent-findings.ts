import { identityOf } from '../issues/issue-identity.js';
import type { ReportFinding } from './report-finding.js';

/** The parts of a finding that identify its issue. */
type Known = Pick<ReportFinding, 'name' | 'securityTestUid' | 'fingerprint' | 'formerly'>;

// Unspecified: how many bytes of them are kept. Those beyond are gone where an earlier report of the scope had them.
const maxBytes = 8 * 2 ** 20;

/** The findings that a report itself says are no longer there (SARIF's baselineState "absent"). */
export class AbsentFindings {
  private readonly known: (Known & { tool: number; assetUri: string })[] = [];
  private bytes = 0;

  add(tool: number, assetUri: string, { name, securityTestUid, fingerprint, formerly = [] }: ReportFinding): void {
    this.bytes += name.length + fingerprint.length;
    for (const parts of formerly) this.bytes += parts.fingerprint.length;
    if (this.bytes > maxBytes) return;
    this.known.push({
      tool,
      assetUri,
      name,
      fingerprint,
      ...(securityTestUid === undefined ? {} : { securityTestUid }),
      ...(formerly.length === 0 ? {} : { formerly }),
    });
  }

  /** The identities of the issues of one tool, by the ids of the assets. */
  identities(of: number, assetIdOf: (uri: string) => string | undefined): string[] {
    return this.known.flatMap(({ tool, assetUri, formerly = [], ...finding }) => {
      const assetId = tool === of ? assetIdOf(assetUri) : undefined;
      if (assetId === undefined) return [];
      return [{}, ...formerly].map((parts) => identityOf({ assetId, ...finding, ...parts }));
    });
  }
}
