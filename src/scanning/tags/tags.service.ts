import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Conflict, found, NotFound } from '../../platform/errors/errors.js';
import { type Page, pageOf } from '../../platform/http/cursor.js';
import { refuseViolations } from '../../database/refuse-violations.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { SearchPaging } from '../search-paging.js';
import { toTag } from './tags.mapper.js';
import { TagsRepository } from './tags.repository.js';
import type { Tag, TagCreate, TagUpdate } from './tags.dto.js';

const nameTaken = {
  tags_name_key: () =>
    new Conflict('There is already a tag with this name: use that one, or another name', 'tag_exists'),
};

/** The tags of assets. */
@Injectable()
export class TagsService {
  constructor(
    private readonly repository: TagsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** A page of the tags, newest first; `search` is found in the name. `Invalid` for a broken cursor. */
  async list(organizationId: string, paging: SearchPaging): Promise<Page<Tag>> {
    return pageOf(await this.repository.page(organizationId, paging), paging.size, toTag);
  }

  /** Makes a tag; `Conflict` if there is one of this name. */
  async create(organizationId: string, { name, color = null }: TagCreate): Promise<Tag> {
    const write = this.repository.insert({ id: uuidV7(), organizationId, name, color });
    return toTag(await refuseViolations(write, nameTaken));
  }

  /** One tag; `NotFound` if there is none. */
  async get(organizationId: string, id: string): Promise<Tag> {
    return toTag(found(await this.repository.byId(organizationId, id), 'Tag'));
  }

  /** Changes the given fields of a tag; `NotFound` if there is none, `Conflict` where another has the name. */
  async update(organizationId: string, id: string, changes: TagUpdate): Promise<Tag> {
    return found(await refuseViolations(this.repository.update(organizationId, id, changes), nameTaken), 'Tag');
  }

  /**
   * Deletes a tag, also from the assets that bear it; `NotFound` if there is none. Unspecified: whether that updates
   * those assets for workflows. It does not: only the tag goes.
   */
  async remove(organizationId: string, id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const { name } = found(await this.repository.byId(organizationId, id), 'Tag');
      const removed = await this.repository.remove(organizationId, id);
      if (!removed) throw new NotFound('Tag not found');
      await this.audit.record({ action: 'tag.deleted', organizationId, subject: { id, name } });
    });
  }
}
