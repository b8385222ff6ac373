import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { countUpTo, StockQuotas } from '../../database/stock-quotas.js';
import type { Application, ApplicationCreate, ApplicationUpdate } from './profiles.shapes.js';

const columns = 'id, name, scanner_kind AS "scannerKind", type, created_at AS "createdAt", updated_at AS "updatedAt"';

const page = statement(
  'profiles.page',
  `SELECT ${columns} FROM profiles
    WHERE organization_id = $1 AND (created_at, id) < ($2, $3) AND ($4::text IS NULL OR name ILIKE $4)
    ORDER BY created_at DESC, id DESC LIMIT $5`,
);

const byId = statement('profiles.by-id', `SELECT ${columns} FROM profiles WHERE organization_id = $1 AND id = $2`);

const insert = statement(
  'profiles.insert',
  `INSERT INTO profiles (id, organization_id, name, scanner_kind, type) VALUES ($1, $2, $3, $4, $5)
   RETURNING ${columns}`,
);

const update = statement(
  'profiles.update',
  `UPDATE profiles
      SET name = coalesce($3, name), scanner_kind = coalesce($4, scanner_kind), type = coalesce($5, type),
          updated_at = now()
    WHERE organization_id = $1 AND id = $2
   RETURNING ${columns}`,
);

const count = statement('profiles.count', countUpTo('profiles WHERE organization_id = $1'));

@Injectable()
export class ProfilesRepository {
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
  ): Promise<Application[]> {
    return this.database.rows<Application>(page, [organizationId, ...after, name, limit]);
  }

  byId(organizationId: string, id: string): Promise<Application | null> {
    return this.database.row<Application>(byId, [organizationId, id]);
  }

  insert(id: string, organizationId: string, profile: ApplicationCreate): Promise<Application> {
    const { name, scannerKind, type } = profile;
    return this.stockQuotas.within('profiles', organizationId, count, () =>
      this.database.one<Application>(insert, [id, organizationId, name, scannerKind, type]),
    );
  }

  update(organizationId: string, id: string, changes: ApplicationUpdate): Promise<Application | null> {
    const { name = null, scannerKind = null, type = null } = changes;
    return this.database.row<Application>(update, [organizationId, id, name, scannerKind, type]);
  }

  /** Answers whether there was one. */
  async remove(organizationId: string, id: string): Promise<boolean> {
    const sql = 'DELETE FROM profiles WHERE organization_id = $1 AND id = $2';
    return (await this.database.execute(sql, [organizationId, id])) > 0;
  }
}
