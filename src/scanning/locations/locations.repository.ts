import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { countUpTo, StockQuotas } from '../../database/stock-quotas.js';
import type { Proxy, ProxyCreate, ProxyUpdate } from './locations.shapes.js';

const columns = 'id, name, type, target, ip, region, enabled, created_at AS "createdAt"';

const page = statement(
  'locations.page',
  `SELECT ${columns} FROM locations
    WHERE organization_id = $1 AND (created_at, id) < ($2, $3) AND ($4::text IS NULL OR name ILIKE $4)
    ORDER BY created_at DESC, id DESC LIMIT $5`,
);

const byId = statement('locations.by-id', `SELECT ${columns} FROM locations WHERE organization_id = $1 AND id = $2`);

const insert = statement(
  'locations.insert',
  `INSERT INTO locations (id, organization_id, name, type, target, ip, region, enabled)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
   RETURNING ${columns}`,
);

/** With what was there before, locked, so that of two that disable a location one alone brings it down. */
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
  ) {}

  /** `name` is a LIKE pattern. */
  page(
    organizationId: string,
    after: [Date | 'infinity', string],
    name: string | null,
    limit: number,
  ): Promise<Proxy[]> {
    return this.database.rows<Proxy>(page, [organizationId, ...after, name, limit]);
  }

  byId(organizationId: string, id: string): Promise<Proxy | null> {
    return this.database.row<Proxy>(byId, [organizationId, id]);
  }

  insert(id: string, organizationId: string, location: ProxyCreate): Promise<Proxy> {
    const { name, type, target, ip = null, region = null, enabled } = location;
    return this.stockQuotas.within('locations', organizationId, count, () =>
      this.database.one<Proxy>(insert, [id, organizationId, name, type, target, ip, region, enabled]),
    );
  }

  update(organizationId: string, id: string, changes: ProxyUpdate): Promise<UpdatedLocation | null> {
    const { name = null, type = null, target = null, ip, region, enabled = null } = changes;
    const nullable = [ip !== undefined, ip ?? null, region !== undefined, region ?? null];
    const values = [organizationId, id, name, type, target, ...nullable, enabled];
    return this.database.row<UpdatedLocation>(update, values);
  }

  /** Takes it from all scans too; answers whether there was one. */
  async remove(organizationId: string, id: string): Promise<boolean> {
    const sql = 'DELETE FROM locations WHERE organization_id = $1 AND id = $2';
    return (await this.database.execute(sql, [organizationId, id])) > 0;
  }
}
