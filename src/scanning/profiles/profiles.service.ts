import { Injectable } from '@nestjs/common';
import { uuidV7 } from '../../common/crypto/uuid-v7.js';
import { violatedForeignKey } from '../../common/errors/database-errors.js';
import { Conflict, found, NotFound } from '../../common/errors/kinds.js';
import { type Page, pageOf, startOf } from '../../common/http/cursor.js';
import { containing } from '../../database/like-pattern.js';
import type { SearchPaging } from '../search-paging.js';
import { ProfilesRepository } from './profiles.repository.js';
import type { Application, ApplicationCreate, ApplicationUpdate } from './profiles.shapes.js';

/** The profiles: what is scanned, and how. */
@Injectable()
export class ProfilesService {
  constructor(private readonly repository: ProfilesRepository) {}

  /** A page of the profiles, newest first; `search` is found in the name. `Invalid` for a broken cursor. */
  async list(organizationId: string, { size, cursor, search }: SearchPaging): Promise<Page<Application>> {
    const name = search === undefined ? null : containing(search);
    const rows = await this.repository.page(organizationId, startOf(cursor), name, size + 1);
    return pageOf(rows, size, (profile) => profile);
  }

  /** Makes a profile. */
  create(organizationId: string, profile: ApplicationCreate): Promise<Application> {
    return this.repository.insert(uuidV7(), organizationId, profile);
  }

  /** One profile; `NotFound` where there is none. */
  async get(organizationId: string, id: string): Promise<Application> {
    return found(await this.repository.byId(organizationId, id), 'Profile');
  }

  /** Changes what is given of a profile; `NotFound` where there is none. */
  async update(organizationId: string, id: string, changes: ApplicationUpdate): Promise<Application> {
    if (Object.keys(changes).length === 0) return this.get(organizationId, id);
    return found(await this.repository.update(organizationId, id, changes), 'Profile');
  }

  /** Deletes a profile; `NotFound` where there is none, `Conflict` for one that has scans. */
  async remove(organizationId: string, id: string): Promise<void> {
    try {
      if (!(await this.repository.remove(organizationId, id))) throw new NotFound('Profile not found');
    } catch (error) {
      if (violatedForeignKey(error) === null) throw error;
      throw new Conflict('The profile has scans, which are records: it cannot be deleted', 'profile_in_use');
    }
  }
}
