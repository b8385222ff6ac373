import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { countUpTo, StockQuotas } from '../../database/stock-quotas.js';
import type { IntegrationRow } from './integrations.mapper.js';

const columns = `id, name, kind, valid, parameters_sealed AS "parametersSealed", created_at AS "createdAt",
  updated_at AS "updatedAt"`;

const page = statement(
  'integrations.page',
  `SELECT ${columns} FROM integrations
    WHERE organization_id = $1 AND (created_at, id) < ($2, $3) AND ($4::text IS NULL OR name ILIKE $4)
    ORDER BY created_at DESC, id DESC LIMIT $5`,
);

const byId = `SELECT ${columns} FROM integrations WHERE organization_id = $1 AND id = $2`;

const insert = `
  INSERT INTO integrations (id, organization_id, name, kind, valid, parameters_sealed) VALUES ($1, $2, $3, $4, $5, $6)
  RETURNING ${columns}`;

const update = `
  UPDATE integrations
     SET name = $3, kind = $4, valid = $5, parameters_sealed = $6, updated_at = now()
   WHERE organization_id = $1 AND id = $2
  RETURNING ${columns}`;

/** An integration as it is written. */
export type StoredIntegration = Omit<IntegrationRow, 'createdAt' | 'updatedAt'>;

const count = statement('integrations.count', countUpTo('integrations WHERE organization_id = $1'));

@Injectable()
export class IntegrationsRepository {
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
  ): Promise<IntegrationRow[]> {
    return this.database.rows<IntegrationRow>(page, [organizationId, ...after, name, limit]);
  }

  byId(organizationId: string, id: string): Promise<IntegrationRow | null> {
    return this.database.row<IntegrationRow>(byId, [organizationId, id]);
  }

  /** Has whoever else changes the integration wait until the unit of work ends. */
  locked(organizationId: string, id: string): Promise<IntegrationRow | null> {
    return this.database.row<IntegrationRow>(`${byId} FOR NO KEY UPDATE`, [organizationId, id]);
  }

  insert(organizationId: string, integration: StoredIntegration): Promise<IntegrationRow> {
    const { id, name, kind, valid, parametersSealed } = integration;
    return this.stockQuotas.within('integrations', organizationId, count, () =>
      this.database.one<IntegrationRow>(insert, [id, organizationId, name, kind, valid, parametersSealed]),
    );
  }

  update(organizationId: string, integration: StoredIntegration): Promise<IntegrationRow> {
    const { id, name, kind, valid, parametersSealed } = integration;
    return this.database.one<IntegrationRow>(update, [organizationId, id, name, kind, valid, parametersSealed]);
  }

  /** Answers whether there was one. */
  async remove(organizationId: string, id: string): Promise<boolean> {
    const sql = 'DELETE FROM integrations WHERE organization_id = $1 AND id = $2';
    return (await this.database.execute(sql, [organizationId, id])) > 0;
  }
}
