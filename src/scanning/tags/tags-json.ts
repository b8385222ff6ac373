/** How many tags an asset may bear. */
export const maxTags = 100;

/** SQL of the tags that an asset bears, by name: at most as many as it may, also where more came about otherwise. */
export function tagsJson(asset: string): string {
  return `(SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'color', t.color)
                              ORDER BY lower(t.name), t.id), '[]')
    FROM (SELECT tags.* FROM asset_tags JOIN tags ON tags.id = tag_id WHERE asset_id = ${asset}.id
           ORDER BY lower(tags.name), tags.id LIMIT ${maxTags}) AS t)`;
}
