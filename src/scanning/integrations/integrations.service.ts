import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import { type AuditedFields, changesOf } from '../../platform/audit/audit-changes.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { found } from '../../platform/errors/errors.js';
import { assertUnchanged } from '../../platform/http/entity-tag.js';
import { type Page, pageOf } from '../../platform/http/cursor.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { TriggersService } from '../triggers/triggers.service.js';
import { IntegrationSecrets } from './integration-secrets.js';
import { type IntegrationRow, toIntegration } from './integrations.mapper.js';
import { IntegrationsRepository } from './integrations.repository.js';
import type { Integration, IntegrationCreate, IntegrationFilter, IntegrationUpdate } from './integrations.dto.js';
import { restoreMasked } from './parameter-masks.js';

type Audited = Pick<IntegrationRow, 'id' | 'name' | 'kind' | 'valid'> & { parameters: unknown };

const audited = { shown: ['name', 'kind', 'valid'], concealed: ['parameters'] } satisfies AuditedFields<Audited>;

/** The integrations with other services. The secrets in their parameters are encrypted at rest and masked on read. */
@Injectable()
export class IntegrationsService {
  constructor(
    private readonly repository: IntegrationsRepository,
    private readonly secrets: IntegrationSecrets,
    private readonly triggers: TriggersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** A page of the integrations, newest first; `search` is found in the name. `Invalid` for a broken cursor. */
  async list(organizationId: string, filter: IntegrationFilter): Promise<Page<Integration>> {
    return pageOf(await this.repository.page(organizationId, filter), filter.size, (row) => this.masked(row));
  }

  /** Makes an integration; `Invalid` where a mask stands for a secret. */
  async create(organizationId: string, integration: IntegrationCreate): Promise<Integration> {
    const { name, kind, valid } = integration;
    const id = uuidV7();
    const parametersSealed = this.secrets.seal(id, restoreMasked(integration.parameters, {}));
    return this.unitOfWork.run(async () => {
      const made = await this.repository.insert({ id, organizationId, name, kind, valid, parametersSealed });
      await this.record('integration.created', organizationId, null, this.auditable(made));
      return this.masked(made);
    });
  }

  /** One integration; `NotFound` if there is none. */
  async get(organizationId: string, id: string): Promise<Integration> {
    return this.masked(found(await this.repository.byId(organizationId, id), 'Integration'));
  }

  /**
   * Changes the given fields of an integration; turning it invalid fires INTEGRATION_FAILED. `NotFound` if there is
   * none, `Invalid` for a mask without a stored value, `ChangedMeanwhile` where its version differs from `ifMatch`.
   */
  async update(
    organizationId: string,
    id: string,
    changes: IntegrationUpdate,
    ifMatch: string | null,
  ): Promise<Integration> {
    return this.unitOfWork.run(async () => {
      const integration = found(await this.repository.locked(organizationId, id), 'Integration');
      const before = this.auditable(integration);
      assertUnchanged(ifMatch, this.masked(integration));
      if (Object.keys(changes).length === 0) return this.masked(integration);
      const { parameters, ...rest } = changes;
      Object.assign(integration, rest);
      if (parameters) {
        const stored = this.secrets.open(integration.id, integration.parametersSealed);
        integration.parametersSealed = this.secrets.seal(integration.id, restoreMasked(parameters, stored));
      }
      const updated = await this.repository.update(integration);
      await this.record('integration.updated', organizationId, before, this.auditable(updated));
      if (before.valid && !updated.valid) {
        await this.triggers.record({ organizationId, type: 'INTEGRATION_FAILED', subjectIds: [updated.id] });
      }
      return this.masked(updated);
    });
  }

  /** Deletes an integration; `NotFound` if there is none. */
  async remove(organizationId: string, id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const before = this.auditable(found(await this.repository.locked(organizationId, id), 'Integration'));
      await this.repository.remove(organizationId, id);
      await this.record('integration.deleted', organizationId, before, null);
    });
  }

  private async record(
    action: AuditAction,
    organizationId: string,
    before: Audited | null,
    after: Audited | null,
  ): Promise<void> {
    const { id, name } = (after ?? before) as Audited;
    const changes = changesOf(before, after, audited);
    await this.audit.record({ action, organizationId, subject: { id, name }, changes });
  }

  private auditable({ id, name, kind, valid, parametersSealed }: IntegrationRow): Audited {
    return { id, name, kind, valid, parameters: this.secrets.open(id, parametersSealed) };
  }

  private masked(row: IntegrationRow): Integration {
    return toIntegration(row, this.secrets.open(row.id, row.parametersSealed));
  }
}
