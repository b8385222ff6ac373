import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Conflict, found, NotFound } from '../../platform/errors/errors.js';
import { type Page, pageOf } from '../../platform/http/cursor.js';
import { refuseViolations } from '../../database/refuse-violations.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { SearchPaging } from '../search-paging.js';
import { toApplication } from './profiles.mapper.js';
import { ProfilesRepository } from './profiles.repository.js';
import type { Application, ApplicationCreate, ApplicationUpdate } from './profiles.dto.js';

const hasScans = {
  scans_application_id_fkey: () =>
    new Conflict('The profile has scans and cannot be deleted, since they are records', 'profile_in_use'),
};

/** Profiles: the targets of scans, and the way to scan them. */
@Injectable()
export class ProfilesService {
  constructor(
    private readonly repository: ProfilesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** A page of the profiles, newest first; `search` is found in the name. `Invalid` for a broken cursor. */
  async list(organizationId: string, paging: SearchPaging): Promise<Page<Application>> {
    return pageOf(await this.repository.page(organizationId, paging), paging.size, toApplication);
  }

  /** Makes a profile. */
  async create(organizationId: string, { name, scannerKind, type }: ApplicationCreate): Promise<Application> {
    return toApplication(await this.repository.insert({ id: uuidV7(), organizationId, name, scannerKind, type }));
  }

  /** One profile; `NotFound` if there is none. */
  async get(organizationId: string, id: string): Promise<Application> {
    return toApplication(found(await this.repository.byId(organizationId, id), 'Profile'));
  }

  /** The oldest profile of that name, or null. */
  async named(organizationId: string, name: string): Promise<Application | null> {
    const profile = await this.repository.oldestNamed(organizationId, name);
    return profile && toApplication(profile);
  }

  /** Changes the given fields of a profile; `NotFound` if there is none. */
  async update(organizationId: string, id: string, changes: ApplicationUpdate): Promise<Application> {
    if (Object.keys(changes).length === 0) return this.get(organizationId, id);
    return found(await this.repository.update(organizationId, id, changes), 'Profile');
  }

  /** Deletes a profile; `NotFound` if there is none, `Conflict` for one that has scans. */
  async remove(organizationId: string, id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const { name } = found(await this.repository.byId(organizationId, id), 'Profile');
      const removed = await refuseViolations(this.repository.remove(organizationId, id), hasScans);
      if (!removed) throw new NotFound('Profile not found');
      await this.audit.record({ action: 'profile.deleted', organizationId, subject: { id, name } });
    });
  }
}
