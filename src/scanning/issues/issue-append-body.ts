import type { IncomingMessage } from 'node:http';
import { elementsOf, readElement } from '../../platform/http/element-body.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { PayloadTooLarge } from '../../platform/errors/errors.js';
import type { Finding } from './finding-rows.js';
import { IssueCreate } from './issue-append.dto.js';
import { fingerprintOf } from './issue-identity.js';
import { type TargetCreate, targetDetails } from './issue-target.dto.js';

// Unspecified: how much one request may append.
const bounds = { lines: false, maxBytes: 32 * 2 ** 20, maxElementBytes: 2 ** 20 };
const maxIssues = 10_000;

function assertOneDetail(target: TargetCreate, at: number): void {
  const given = targetDetails.filter((kind) => target[kind] !== undefined);
  if (given.length === 1) return;
  const msg = `A target has exactly one of ${targetDetails.join(', ')} (got: ${given.join(', ') || 'none'})`;
  throw Invalid.at(['body', 'targets', at], 'value_error', msg);
}

function toFinding({ targets, suppressed, ...fields }: IssueCreate): Finding {
  targets.forEach(assertOneDetail);
  const fingerprint = fingerprintOf(
    fields.name,
    targets.map(({ targetUid }) => targetUid),
  );
  return { ...fields, targets, fingerprint, status: suppressed ? 'IGNORED' : 'OPEN' };
}

/** Reads the issues of an append request: a JSON array of IssueCreate. */
export async function readFindings(request: IncomingMessage): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const elements of elementsOf(request, bounds)) {
    for (const element of elements) findings.push(readElement(element, IssueCreate, toFinding));
    if (findings.length > maxIssues) {
      throw new PayloadTooLarge(`A request may have at most ${maxIssues} issues: send several requests`);
    }
  }
  return findings;
}
