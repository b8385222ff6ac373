import { tagsJson } from '../tags/tags.statements.js';

/**
 * SQL for the columns of an asset's row with its tags and its number of open issues, as `toAsset` takes them. `asset` is
 * the alias of `assets`.
 */
export function assetColumns(asset: string): string {
  return `${asset}.id, ${asset}.name, ${asset}.type, ${asset}.class, ${asset}.uri, ${asset}.source_url AS "sourceUrl",
    ${asset}.created_at AS "createdAt",
    ${asset}.service, ${asset}.frontend, ${asset}.host, ${asset}.repository, ${asset}.schema,
    ${tagsJson(asset)} AS tags,
    (SELECT coalesce(json_agg(open), '[]')
       FROM (SELECT severity, count(*) AS count FROM issues WHERE asset_id = ${asset}.id AND status = 'OPEN'
              GROUP BY severity) AS open) AS "openIssues"`;
}
