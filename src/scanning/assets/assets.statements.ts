import { tagsJson } from '../tags/tags.statements.js';

/** SQL for the columns of an asset's row with its tags, as `toAsset` takes them. `asset` is the alias of `assets`. */
export function assetColumns(asset: string): string {
  return `${asset}.id, ${asset}.name, ${asset}.type, ${asset}.class, ${asset}.uri, ${asset}.created_at AS "createdAt",
    ${asset}.service, ${asset}.frontend, ${asset}.host, ${asset}.repository, ${asset}.schema,
    ${tagsJson(asset)} AS tags`;
}
