import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import { namePage, namePageValues } from '../name-search.statements.js';
import type { SearchPaging } from '../search-paging.js';
import { TagEntity } from './tag.entity.js';
import type { Tag, TagUpdate } from './tags.dto.js';

const columns = 'id, name, color, created_at AS "createdAt"';

const page = namePage('tags', columns);

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
    @InjectRepository(TagEntity) private readonly tags: Repository<TagEntity>,
  ) {}

  page(organizationId: string, paging: SearchPaging): Promise<Tag[]> {
    return this.database.rows<Tag>(page, namePageValues(organizationId, paging));
  }

  byId(organizationId: string, id: string): Promise<TagEntity | null> {
    return this.tags.findOneBy({ organizationId, id });
  }

  insert(tag: Omit<TagEntity, 'createdAt'>): Promise<TagEntity> {
    return this.stockQuotas.within('tags', tag.organizationId, count, async () => {
      const row = this.tags.create(tag);
      await this.tags.insert(row);
      return row;
    });
  }

  update(organizationId: string, id: string, changes: TagUpdate): Promise<Tag | null> {
    const { name = null, color } = changes;
    return this.database.row<Tag>(update, [organizationId, id, name, color !== undefined, color ?? null]);
  }

  /** Deletes a tag, also from all assets; returns whether there was one. */
  async remove(organizationId: string, id: string): Promise<boolean> {
    return (await this.tags.delete({ organizationId, id })).affected === 1;
  }
}
