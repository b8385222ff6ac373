import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Bounded } from '../../database/bounded-rows.js';
import { boundedRows } from '../../database/bounded-rows.statements.js';
import { Database, statement } from '../../database/database.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import { Searches } from '../../database/searches.js';
import { FilteredStatement, type Given } from '../../database/filtered-statement.js';
import { boundedCount } from '../counted-lists.statements.js';
import { assetColumns } from './assets.statements.js';
import type { AssetRecord } from './asset-draft.js';
import { AssetEntity } from './asset.entity.js';
import type { AssetRow } from './assets.mapper.js';

const filters = {
  types: (values: string) => `a.type = ANY(${values}::text[])`,
  classes: (values: string) => `a.class = ANY(${values}::text[])`,
  tagIds: (values: string) =>
    `EXISTS (SELECT FROM asset_tags b WHERE b.asset_id = a.id AND b.tag_id = ANY(${values}::uuid[]))`,
  search: (pattern: string) => `(a.name ILIKE ${pattern} OR a.uri ILIKE ${pattern})`,
};
export type AssetFilters = Given<keyof typeof filters>;

const page = new FilteredStatement('assets.page', filters, (conditions) =>
  boundedRows(
    `SELECT ${assetColumns('a')} FROM assets a
        WHERE a.organization_id = $1 AND (a.created_at, a.id) < ($2, $3)${conditions}
        ORDER BY a.created_at DESC, a.id DESC LIMIT $4`,
    'e."createdAt" DESC, e.id DESC',
    'octet_length(concat(e.service, e.frontend, e.host, e.repository, e.schema, e.tags))',
  ),
);

const total = new FilteredStatement('assets.total', filters, (conditions) =>
  boundedCount(`assets a WHERE a.organization_id = $1${conditions}`),
);

export const assetById = statement(
  'assets.by-id',
  `SELECT ${assetColumns('a')} FROM assets a WHERE a.organization_id = $1 AND a.id = $2`,
);

/** Writes the assets whose uri is new, in the order given. A concurrent writer of the same uri waits, then finds it. */
const insertNew = statement(
  'assets.insert-new',
  `INSERT INTO assets (id, organization_id, name, type, class, uri, source_url, service, frontend, host, repository, schema)
   SELECT d.id, $1, d.name, d.type, d.class, d.uri, d."sourceUrl", d.service, d.frontend, d.host, d.repository, d.schema
     FROM jsonb_to_recordset($2::jsonb) AS d(id uuid, name text, type text, class text, uri text, "sourceUrl" text, service jsonb,
          frontend jsonb, host jsonb, repository jsonb, schema jsonb)
   ON CONFLICT (organization_id, md5(uri)) DO NOTHING
   RETURNING id, uri`,
);

/** The lock prevents the deletion of the assets until the unit of work has used them. */
const byUris = statement(
  'assets.by-uris',
  `SELECT id, uri FROM assets
    WHERE organization_id = $1 AND md5(uri) IN (SELECT md5(given) FROM unnest($2::text[]) AS given)
      FOR KEY SHARE`,
);

const setTags = statement(
  'assets.set-tags',
  `WITH wanted AS (SELECT id FROM tags WHERE organization_id = $1 AND id = ANY($3::uuid[]) FOR KEY SHARE),
        gone AS (DELETE FROM asset_tags WHERE asset_id = $2 AND tag_id <> ALL($3::uuid[])),
        added AS (INSERT INTO asset_tags (asset_id, tag_id) SELECT $2::uuid, id FROM wanted ON CONFLICT DO NOTHING)
   SELECT id FROM wanted`,
);

const count = statement('assets.count', countUpTo('assets WHERE organization_id = $1'));

@Injectable()
export class AssetsRepository {
  constructor(
    private readonly database: Database,
    private readonly searches: Searches,
    private readonly stockQuotas: StockQuotas,
    @InjectRepository(AssetEntity) private readonly assets: Repository<AssetEntity>,
  ) {}

  page(
    organizationId: string,
    after: [Date | 'infinity', string],
    limit: number,
    given: AssetFilters,
  ): Promise<(AssetRow & Bounded)[]> {
    const { statement: sql, values } = page.of([organizationId, ...after, limit], given);
    if (given.search === undefined) return this.database.rows<AssetRow & Bounded>(sql, values);
    return this.searches.rows<AssetRow & Bounded>(organizationId, sql, values);
  }

  /** The number of matches, counted up to the bound of lists. */
  async total(organizationId: string, given: AssetFilters): Promise<number> {
    const { statement: sql, values } = total.of([organizationId], given);
    const [row] = await this.searches.rows<{ totalCount: number }>(organizationId, sql, values);
    return row?.totalCount ?? 0;
  }

  byId(organizationId: string, id: string): Promise<AssetRow | null> {
    return this.database.row<AssetRow>(assetById, [organizationId, id]);
  }

  /** Blocks concurrent changes of the asset until the unit of work ends; returns whether there is one. */
  async lock(organizationId: string, id: string): Promise<boolean> {
    const sql = 'SELECT FROM assets WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE';
    return (await this.database.execute(sql, [organizationId, id])) > 0;
  }

  /** Writes the assets whose uri is new and returns them. */
  insertNew(organizationId: string, assets: AssetRecord[]): Promise<{ id: string; uri: string }[]> {
    return this.stockQuotas.within(
      'assets',
      organizationId,
      count,
      () => this.database.rows(insertNew, [organizationId, JSON.stringify(assets)]),
      (added) => added.length > 0,
    );
  }

  byUris(organizationId: string, uris: string[]): Promise<{ id: string; uri: string }[]> {
    return this.database.rows(byUris, [organizationId, uris]);
  }

  async update(organizationId: string, asset: AssetRecord): Promise<void> {
    const { id, class: _class, ...columns } = asset;
    await this.assets.update({ organizationId, id }, columns);
  }

  /** Replaces the tags of an asset; returns those that belong to the organization. */
  async setTags(organizationId: string, assetId: string, tagIds: string[]): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(setTags, [organizationId, assetId, tagIds]);
    return rows.map(({ id }) => id);
  }

  /** Returns whether there was one. */
  async remove(organizationId: string, id: string): Promise<boolean> {
    return (await this.assets.delete({ organizationId, id })).affected === 1;
  }
}
