/** SQL that holds where a row matches a workflow's conditions, a jsonb value whose missing fields ask for nothing. */
type Matches = (row: string, conditions: string) => string;

/** Whether the condition of this name lists `value`, or asks for nothing. */
function among(conditions: string, name: string, value: string): string {
  return `(${conditions}->'${name}' IS NULL OR ${conditions}->'${name}' ? ${value}::text)`;
}

/** Whether one of these texts contains the condition's search text, in any case. */
function holdsSearch(conditions: string, ...texts: string[]): string {
  const text = `concat_ws(' ', ${texts.join(', ')})`;
  return `(${conditions}->'search' IS NULL OR strpos(lower(${text}), lower(${conditions}->>'search')) > 0)`;
}

function asksFor(conditions: string, ...names: string[]): string {
  return `${conditions} ?| array[${names.map((name) => `'${name}'`).join(', ')}]`;
}

const ofAsset: Matches = (asset, conditions) => `
  ${among(conditions, 'assetTypes', `${asset}.type`)} AND ${among(conditions, 'assetClasses', `${asset}.class`)}
  AND (${conditions}->'tagIds' IS NULL OR EXISTS (
    SELECT FROM asset_tags t WHERE t.asset_id = ${asset}.id AND ${conditions}->'tagIds' ? t.tag_id::text))`;

const ofScan: Matches = (scan, conditions) => `
  ${among(conditions, 'scanKinds', `${scan}.kind`)} AND ${among(conditions, 'scanStatuses', `${scan}.status`)}
  AND ${among(conditions, 'profileIds', `${scan}.application_id`)}`;

/** Whether an issue or scan is of the branches that the conditions name: by default what the default branch decides. */
const ofBranch = (row: string, conditions: string, isOfNamed: string): string => `CASE
    WHEN ${conditions}->'branches' IS NULL THEN NOT ${row}.branch_only
    WHEN ${conditions}->'branches' ? '*' THEN true ELSE ${isOfNamed} END`;

const issueBranch: Matches = (issue, conditions) =>
  ofBranch(
    issue,
    conditions,
    `EXISTS (SELECT FROM issue_branches ib JOIN branches br ON br.id = ib.branch_id
              WHERE ib.issue_id = ${issue}.id AND ${conditions}->'branches' ? br.name)`,
  );

const scanBranch: Matches = (scan, conditions) =>
  ofBranch(scan, conditions, `coalesce(${conditions}->'branches' ? ${scan}.branch, false)`);

const asksForIssue = (conditions: string) => asksFor(conditions, 'severities', 'categories', 'issueStatuses');
const asksForAsset = (conditions: string) => asksFor(conditions, 'assetTypes', 'assetClasses', 'tagIds');
const asksForScan = (conditions: string) => asksFor(conditions, 'scanKinds', 'scanStatuses', 'profileIds');

/** The conditions on the issue itself, its asset with its tags, and its scan. */
export const issueMatches: Matches = (issue, conditions) => `
  ${among(conditions, 'severities', `${issue}.severity`)} AND ${among(conditions, 'categories', `${issue}.category`)}
  AND ${among(conditions, 'issueStatuses', `${issue}.status`)} AND ${issueBranch(issue, conditions)}
  AND (NOT ${asksForAsset(conditions)} OR EXISTS (
    SELECT FROM assets ia WHERE ia.id = ${issue}.asset_id AND ${ofAsset('ia', conditions)}))
  AND (NOT ${asksForScan(conditions)} OR EXISTS (
    SELECT FROM scans sc WHERE sc.id = ${issue}.scan_id AND ${ofScan('sc', conditions)}))
  AND ${holdsSearch(conditions, `${issue}.name`, `${issue}.full_name`, `${issue}.context`)}`;

export const assetMatches: Matches = (asset, conditions) => `
  ${ofAsset(asset, conditions)} AND ${holdsSearch(conditions, `${asset}.name`, `${asset}.uri`)}`;

/**
 * The conditions on the scan itself, its profile and its assets.
 * Unspecified: the text of a scan for `search`, as it has no name; the name of its profile.
 */
export const scanMatches: Matches = (scan, conditions) => `
  ${ofScan(scan, conditions)} AND ${scanBranch(scan, conditions)}
  AND (NOT ${asksForAsset(conditions)} OR EXISTS (
    SELECT FROM scan_assets sa JOIN assets ia ON ia.id = sa.asset_id
     WHERE sa.scan_id = ${scan}.id AND ${ofAsset('ia', conditions)}))
  AND ${holdsSearch(conditions, `(SELECT p.name FROM profiles p WHERE p.id = ${scan}.application_id)`)}`;

/** The conditions on the scan of a trigger: if they ask for issues, one of its issues must match them all. */
export const triggeringScanMatches: Matches = (scan, conditions) => `
  ${scanMatches(scan, conditions)}
  AND (NOT ${asksForIssue(conditions)} OR EXISTS (
    SELECT FROM issue_scans link JOIN issues found ON found.id = link.issue_id
     WHERE link.scan_id = ${scan}.id AND found.organization_id = ${scan}.organization_id
       AND ${issueMatches('found', conditions)}))`;

export const profileMatches: Matches = (profile, conditions) => `
  ${among(conditions, 'profileIds', `${profile}.id`)} AND ${holdsSearch(conditions, `${profile}.name`)}`;

/** Locations and integrations only have a search. */
export const nameMatches: Matches = (row, conditions) => holdsSearch(conditions, `${row}.name`);
