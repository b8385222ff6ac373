/** SQL for the columns of an asset's row with its tags, as `toAsset` takes them. `asset` is the alias of `assets`. */
export function assetColumns(asset: string): string {
  return `${asset}.id, ${asset}.name, ${asset}.type, ${asset}.class, ${asset}.uri, ${asset}.created_at AS "createdAt",
    ${asset}.service, ${asset}.frontend, ${asset}.host, ${asset}.repository, ${asset}.schema,
    (SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'color', t.color)
                              ORDER BY lower(t.name), t.id), '[]')
       FROM asset_tags JOIN tags t ON t.id = tag_id
      WHERE asset_id = ${asset}.id) AS tags`;
}
