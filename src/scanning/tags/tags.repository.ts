import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { countUpTo, StockQuotas } from '../../database/stock-quotas.js';
import type { Tag, TagCreate, TagUpdate } from './tags.shapes.js';

const columns = 'id, name, color, created_at AS "createdAt"';

const page = statement(
  'tags.page',
  `SELECT ${columns} FROM tags
    WHERE organization_id = $1 AND (created_at, id) < ($2, $3) AND ($4::text IS NULL OR name ILIKE $4)
    ORDER BY created_at DESC, id DESC LIMIT $5`,
);

const byId = statement('tags.by-id', `SELECT ${columns} FROM tags WHERE organization_id = $1 AND id = $2`);

const insert = statement(
  'tags.insert',
  `INSERT INTO tags (id, organization_id, name, color) VALUES ($1, $2, $3, $4) RETURNING ${columns}`,
);

const update = statement(
  'tags.update',
  `UPDATE tags SET name = coalesce($3, name), color = CASE WHEN $4 THEN $5 ELSE color END
    WHERE organization_id = $1 AND id = $2
   RETURNING ${columns}`,
);

const count = statement('tags.count', countUpTo('tags WHERE organization_id = $1'));

@Injectable()
export class TagsRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
  ) {}

  /** `name` is a LIKE pattern. */
  page(organizationId: string, after: [Date | 'infinity', string], name: string | null, limit: number): Promise<Tag[]> {
    return this.database.rows<Tag>(page, [organizationId, ...after, name, limit]);
  }

  byId(organizationId: string, id: string): Promise<Tag | null> {
    return this.database.row<Tag>(byId, [organizationId, id]);
  }

  insert(id: string, organizationId: string, { name, color = null }: TagCreate): Promise<Tag> {
    return this.stockQuotas.within('tags', organizationId, count, () =>
      this.database.one<Tag>(insert, [id, organizationId, name, color]),
    );
  }

  update(organizationId: string, id: string, changes: TagUpdate): Promise<Tag | null> {
    const { name = null, color } = changes;
    return this.database.row<Tag>(update, [organizationId, id, name, color !== undefined, color ?? null]);
  }

  /** Takes it from all assets too; answers whether there was one. */
  async remove(organizationId: string, id: string): Promise<boolean> {
    const sql = 'DELETE FROM tags WHERE organization_id = $1 AND id = $2';
    return (await this.database.execute(sql, [organizationId, id])) > 0;
  }
}
