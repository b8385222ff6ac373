import { sha256 } from '../../platform/crypto/digests.js';

/**
 * The series of reports that one belongs to, with its category: that of the caller, else that of the report. `front/` as SARIF
 * ends a category, and GitHub's `category: front`, are one.
 */
export function scopeOf(
  tool: string,
  given: string | undefined,
  ofReport: string,
  branch = '',
): { scope: string; category: string } {
  const category = given?.replace(/\/$/, '') || ofReport;
  return { scope: sha256(JSON.stringify([tool, category, branch])), category };
}
