import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { KeyRole } from '../../platform/auth/organization-caller.js';
import { Database, statement } from '../../database/database.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import { OrganizationEntity } from './organization.entity.js';
import type { Organization, OrganizationUpdate } from './organizations.dto.js';

const columns = (role: string) =>
  `o.id, o.name, ${role} AS role, o.scoped_webhook_export_payload AS "scopedWebhookExportPayload",
   o.created_at AS "createdAt"`;

/** Writes nothing where the account is gone; the lock keeps it until the unit of work ends. */
const insert = statement(
  'organizations.insert',
  `WITH maker AS (SELECT id FROM users WHERE id = $3 AND deleted_at IS NULL FOR SHARE),
        made AS (INSERT INTO organizations (id, name, created_by) SELECT $1::uuid, $2::text, id FROM maker RETURNING *),
        joined AS (
          INSERT INTO organization_members (organization_id, user_id, role)
          SELECT made.id, maker.id, 'admin' FROM made, maker)
   SELECT ${columns(`'admin'`)} FROM made o`,
);

const pageOfUser = statement(
  'organizations.page-of-user',
  `SELECT ${columns('m.role')}
     FROM organization_members m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = $1 AND (o.created_at, o.id) < ($2, $3)
    ORDER BY o.created_at DESC, o.id DESC LIMIT $4`,
);

const update = statement(
  'organizations.update',
  `UPDATE organizations o
      SET name = coalesce($3, name),
          scoped_webhook_export_payload = coalesce($4, scoped_webhook_export_payload)
    WHERE o.id = $1
   RETURNING ${columns('$2::text')}`,
);

const count = statement(
  'organizations.count',
  countUpTo(`organizations o JOIN organization_members m ON m.organization_id = o.id AND m.user_id = o.created_by
              WHERE o.created_by = $1`),
);

@Injectable()
export class OrganizationsRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
    @InjectRepository(OrganizationEntity) private readonly organizations: Repository<OrganizationEntity>,
  ) {}

  /** Makes an organization with its first admin; null if that account is gone. */
  insert(id: string, name: string, adminId: string): Promise<Organization | null> {
    return this.stockQuotas.within(
      'organizations',
      adminId,
      count,
      () => this.database.row<Organization>(insert, [id, name, adminId]),
      (made) => made !== null,
    );
  }

  pageOfUser(userId: string, after: [Date | 'infinity', string], limit: number): Promise<Organization[]> {
    return this.database.rows<Organization>(pageOfUser, [userId, ...after, limit]);
  }

  byId(id: string): Promise<OrganizationEntity | null> {
    return this.organizations.findOneBy({ id });
  }

  /** An organization, or null; locks it until the unit of work ends. */
  lock(id: string): Promise<OrganizationEntity | null> {
    return this.organizations.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Changes an organization and returns it as a caller of that role sees it. */
  update(id: string, role: KeyRole, changes: OrganizationUpdate): Promise<Organization | null> {
    const { name = null, scopedWebhookExportPayload = null } = changes;
    return this.database.row<Organization>(update, [id, role, name, scopedWebhookExportPayload]);
  }
}
