import { identityOf } from '../issues/issue-identity.js';
import type { ReportFinding } from './report-finding.js';

/** The parts of a finding that identify its issue. */
type Known = Pick<ReportFinding, 'name' | 'securityTestUid' | 'fingerprint'>;

// Unspecified: how many bytes of them are kept. Those beyond are gone where an earlier report of the scope had them.
const maxBytes = 8 * 2 ** 20;

/** The findings that a report itself says are no longer there (SARIF's baselineState "absent"). */
export class AbsentFindings {
  private readonly known: (Known & { assetUri: string })[] = [];
  private bytes = 0;

  add(assetUri: string, { name, securityTestUid, fingerprint }: ReportFinding): void {
    this.bytes += name.length + fingerprint.length;
    if (this.bytes > maxBytes) return;
    this.known.push({ assetUri, name, fingerprint, ...(securityTestUid === undefined ? {} : { securityTestUid }) });
  }

  /** The identities of their issues, by the ids of the assets. */
  identities(assetIdOf: (uri: string) => string | undefined): string[] {
    return this.known.flatMap(({ assetUri, ...finding }) => {
      const assetId = assetIdOf(assetUri);
      return assetId === undefined ? [] : [identityOf({ assetId, ...finding })];
    });
  }
}
