import { Injectable } from '@nestjs/common';
import { uuidV7 } from '../../common/crypto/uuid-v7.js';
import { violatedUniqueIndex } from '../../common/errors/database-errors.js';
import { Conflict, found, NotFound } from '../../common/errors/kinds.js';
import { type Page, pageOf, startOf } from '../../common/http/cursor.js';
import { containing } from '../../database/like-pattern.js';
import type { SearchPaging } from '../search-paging.js';
import { TagsRepository } from './tags.repository.js';
import type { Tag, TagCreate, TagUpdate } from './tags.shapes.js';

async function unlessTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (violatedUniqueIndex(error) === null) throw error;
    throw new Conflict('There is a tag of this name already: take that one, or another name', 'tag_exists');
  }
}

/** The tags that assets bear. */
@Injectable()
export class TagsService {
  constructor(private readonly repository: TagsRepository) {}

  /** A page of the tags, newest first; `search` is found in the name. `Invalid` for a broken cursor. */
  async list(organizationId: string, { size, cursor, search }: SearchPaging): Promise<Page<Tag>> {
    const name = search === undefined ? null : containing(search);
    const rows = await this.repository.page(organizationId, startOf(cursor), name, size + 1);
    return pageOf(rows, size, (tag) => tag);
  }

  /** Makes a tag; `Conflict` where there is one of this name. */
  create(organizationId: string, tag: TagCreate): Promise<Tag> {
    return unlessTaken(this.repository.insert(uuidV7(), organizationId, tag));
  }

  /** One tag; `NotFound` where there is none. */
  async get(organizationId: string, id: string): Promise<Tag> {
    return found(await this.repository.byId(organizationId, id), 'Tag');
  }

  /** Changes what is given of a tag; `NotFound` where there is none, `Conflict` where another has the name. */
  async update(organizationId: string, id: string, changes: TagUpdate): Promise<Tag> {
    return found(await unlessTaken(this.repository.update(organizationId, id, changes)), 'Tag');
  }

  /**
   * Deletes a tag, also from the assets that bear it; `NotFound` where there is none.
   * Not shown: whether that updates those assets for workflows. It does not: it is the tag that goes.
   */
  async remove(organizationId: string, id: string): Promise<void> {
    if (!(await this.repository.remove(organizationId, id))) throw new NotFound('Tag not found');
  }
}
