import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { listed } from '../../database/filtered-statement.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import { namePage, namePageValues } from '../name-search.statements.js';
import { IntegrationEntity } from './integration.entity.js';
import type { IntegrationRow } from './integrations.mapper.js';
import type { IntegrationFilter } from './integrations.dto.js';

const columns = `id, name, kind, valid, parameters_sealed AS "parametersSealed", created_at AS "createdAt",
  updated_at AS "updatedAt"`;

const page = namePage('integrations', columns, 'AND ($6::text[] IS NULL OR kind = ANY ($6))');

const update = `
  UPDATE integrations
     SET name = $3, kind = $4, valid = $5, parameters_sealed = $6, updated_at = now()
   WHERE organization_id = $1 AND id = $2
  RETURNING ${columns}`;

const count = statement('integrations.count', countUpTo('integrations WHERE organization_id = $1'));

@Injectable()
export class IntegrationsRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
    @InjectRepository(IntegrationEntity) private readonly integrations: Repository<IntegrationEntity>,
  ) {}

  page(organizationId: string, { kinds, ...paging }: IntegrationFilter): Promise<IntegrationRow[]> {
    const values = [...namePageValues(organizationId, paging), listed(kinds) ?? null];
    return this.database.rows<IntegrationRow>(page, values);
  }

  byId(organizationId: string, id: string): Promise<IntegrationEntity | null> {
    return this.integrations.findOneBy({ organizationId, id });
  }

  /** Blocks concurrent changes of the integration until the unit of work ends. */
  locked(organizationId: string, id: string): Promise<IntegrationEntity | null> {
    return this.integrations.findOne({ where: { organizationId, id }, lock: { mode: 'for_no_key_update' } });
  }

  insert(integration: Omit<IntegrationEntity, 'createdAt' | 'updatedAt'>): Promise<IntegrationEntity> {
    return this.stockQuotas.within('integrations', integration.organizationId, count, async () => {
      const row = this.integrations.create(integration);
      await this.integrations.insert(row);
      return row;
    });
  }

  update(integration: IntegrationEntity): Promise<IntegrationRow> {
    const { id, organizationId, name, kind, valid, parametersSealed } = integration;
    return this.database.one<IntegrationRow>(update, [organizationId, id, name, kind, valid, parametersSealed]);
  }

  async remove(organizationId: string, id: string): Promise<void> {
    await this.integrations.delete({ organizationId, id });
  }
}
