/**
 * CTEs, for a statement of organization $1 that makes issues of the rows of `found`: `policy` has a row where the
 * organization has a policy, `takers` the default assignee of each asset. They are not locked, so that nobody who leaves
 * waits for an import: `IssueAppendsService.announce` takes the issues from them at its end.
 */
export function policyOf(found: string): string {
  return `policy AS MATERIALIZED (
     SELECT * FROM issue_policies WHERE organization_id = $1
   ), defaults AS MATERIALIZED (
     SELECT tag_id, user_id, position FROM issue_default_assignees WHERE organization_id = $1
   ), takers AS MATERIALIZED (
     SELECT DISTINCT ON (t.asset_id) t.asset_id, d.user_id
       FROM asset_tags t JOIN defaults d ON d.tag_id = t.tag_id
      WHERE t.asset_id IN (SELECT asset_id FROM ${found})
      ORDER BY t.asset_id, d.position, d.tag_id
   )`;
}

/** When a new issue is due by the policy; null for one that its scanner sets aside. */
export function dueByPolicy(row: string): string {
  return `CASE WHEN ${row}.status = 'OPEN' THEN now() + interval '1 day' * CASE ${row}.severity
    WHEN 'CRITICAL' THEN policy.critical_days WHEN 'HIGH' THEN policy.high_days WHEN 'MEDIUM' THEN policy.medium_days
    WHEN 'LOW' THEN policy.low_days ELSE policy.info_days END END`;
}
