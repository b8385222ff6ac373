import { Injectable } from '@nestjs/common';
import { changesOf } from '../../platform/audit/audit-changes.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { found, Unauthenticated } from '../../platform/errors/errors.js';
import { type CursorPaging, type Page, pageOf, startOf } from '../../platform/http/cursor.js';
import { assertUnchanged } from '../../platform/http/entity-tag.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { toOrganization } from './organizations.mapper.js';
import { OrganizationsRepository } from './organizations.repository.js';
import type { Organization, OrganizationCreate, OrganizationUpdate } from './organizations.dto.js';

/** The organizations and their general settings. */
@Injectable()
export class OrganizationsService {
  constructor(
    private readonly repository: OrganizationsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** Makes an organization, with the caller as its admin. */
  create({ name }: OrganizationCreate, caller: CallerIdentity): Promise<Organization> {
    return this.unitOfWork.run(async () => {
      const made = await this.repository.insert(uuidV7(), name, caller.id);
      if (!made) throw new Unauthenticated();
      await this.audit.record({ action: 'organization.created', organizationId: made.id, subject: made });
      return made;
    });
  }

  /** A page of the organizations that the user belongs to, newest first. `Invalid` for a broken cursor. */
  async listOfUser(caller: CallerIdentity, { size, cursor }: CursorPaging): Promise<Page<Organization>> {
    const rows = await this.repository.pageOfUser(caller.id, startOf(cursor), size + 1);
    return pageOf(rows, size, (organization) => organization);
  }

  /** A list of the one organization that an API key belongs to. `Invalid` for a broken cursor. */
  async listOfKey(caller: OrganizationCaller, { cursor }: CursorPaging): Promise<Page<Organization>> {
    startOf(cursor);
    return { data: [await this.get(caller)], nextCursor: null };
  }

  /** The organization that the request is about; `NotFound` where it is gone. */
  async get({ organizationId, role }: OrganizationCaller): Promise<Organization> {
    return toOrganization(found(await this.repository.byId(organizationId), 'Organization'), role);
  }

  /**
   * Changes the given general settings; `NotFound` where the organization is gone, `ChangedMeanwhile` where they differ from
   * `ifMatch`.
   */
  update(
    { organizationId, role }: OrganizationCaller,
    changes: OrganizationUpdate,
    ifMatch: string | null,
  ): Promise<Organization> {
    return this.unitOfWork.run(async () => {
      const before = toOrganization(found(await this.repository.lock(organizationId), 'Organization'), role);
      assertUnchanged(ifMatch, before);
      const updated = found(await this.repository.update(organizationId, role, changes), 'Organization');
      const changed = changesOf(before, updated, { shown: ['name', 'scopedWebhookExportPayload'] });
      await this.audit.record({ action: 'organization.updated', organizationId, subject: updated, changes: changed });
      return updated;
    });
  }
}
