import { maxTags } from './tags.dto.js';

/** SQL of the tags of an asset, by name: no more than an asset may have, whatever the table holds. */
export function tagsJson(asset: string): string {
  return `(SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'color', t.color)
                              ORDER BY lower(t.name), t.id), '[]')
    FROM (SELECT tags.* FROM asset_tags JOIN tags ON tags.id = tag_id WHERE asset_id = ${asset}.id
           ORDER BY lower(tags.name), tags.id LIMIT ${maxTags}) AS t)`;
}
