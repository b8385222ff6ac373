import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import { namePage, namePageValues } from '../name-search.statements.js';
import type { SearchPaging } from '../search-paging.js';
import { LocationEntity } from './location.entity.js';
import type { Proxy, ProxyUpdate } from './locations.dto.js';

const columns = 'id, name, type, target, ip, region, enabled, created_at AS "createdAt"';

const page = namePage('locations', columns);

/** Locks the row before it reads `enabled`, so that only the first of two requests that disable a location takes it down. */
const update = statement(
  'locations.update',
  `WITH before AS (
     SELECT id AS location_id, enabled AS was_enabled FROM locations WHERE organization_id = $1 AND id = $2
        FOR NO KEY UPDATE)
   UPDATE locations
      SET name = coalesce($3, name), type = coalesce($4, type), target = coalesce($5, target),
          ip = CASE WHEN $6 THEN $7 ELSE ip END, region = CASE WHEN $8 THEN $9 ELSE region END,
          enabled = coalesce($10, enabled)
     FROM before
    WHERE id = location_id
   RETURNING ${columns}, was_enabled AS "wasEnabled"`,
);

export type UpdatedLocation = Proxy & { wasEnabled: boolean };

const count = statement('locations.count', countUpTo('locations WHERE organization_id = $1'));

@Injectable()
export class LocationsRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
    @InjectRepository(LocationEntity) private readonly locations: Repository<LocationEntity>,
  ) {}

  page(organizationId: string, paging: SearchPaging): Promise<Proxy[]> {
    return this.database.rows<Proxy>(page, namePageValues(organizationId, paging));
  }

  byId(organizationId: string, id: string): Promise<LocationEntity | null> {
    return this.locations.findOneBy({ organizationId, id });
  }

  insert(location: Omit<LocationEntity, 'createdAt'>): Promise<LocationEntity> {
    return this.stockQuotas.within('locations', location.organizationId, count, async () => {
      const row = this.locations.create(location);
      await this.locations.insert(row);
      return row;
    });
  }

  update(organizationId: string, id: string, changes: ProxyUpdate): Promise<UpdatedLocation | null> {
    const { name = null, type = null, target = null, ip, region, enabled = null } = changes;
    const nullable = [ip !== undefined, ip ?? null, region !== undefined, region ?? null];
    const values = [organizationId, id, name, type, target, ...nullable, enabled];
    return this.database.row<UpdatedLocation>(update, values);
  }

  /** Deletes a location, also from all scans; returns whether there was one. */
  async remove(organizationId: string, id: string): Promise<boolean> {
    return (await this.locations.delete({ organizationId, id })).affected === 1;
  }
}
