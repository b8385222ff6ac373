import { Injectable } from '@nestjs/common';
import { ListTotals } from '../../platform/http/total-count.js';
import { membership } from './user-cache-tags.js';
import { UsersRepository } from './users.repository.js';
import type { User, UserFilter, UserPaging, UserPublic } from './users.dto.js';

/** The lists of all accounts, newest first where the caller asks for no other order. */
@Injectable()
export class UserListsService {
  constructor(
    private readonly repository: UsersRepository,
    private readonly totals: ListTotals,
  ) {}

  /** A page of accounts as others see them. */
  async listPublic(paging: UserPaging): Promise<UserPublic[]> {
    return this.counted(await this.repository.publicPage(paging.skip, paging.limit), paging);
  }

  /** A page of accounts for the administration, or of the filter's matches. */
  async list({ search, role, sort, ...paging }: UserFilter): Promise<User[]> {
    const { skip, limit } = paging;
    const isUsual = sort === '-created_at';
    const found = () => this.repository.foundPage(skip, limit, { search, role }, sort);
    if (search === undefined && role === undefined) {
      return this.counted(await (isUsual ? this.repository.page(skip, limit) : found()), paging);
    }
    const page = await found();
    const list = { key: 'found users', count: () => this.repository.countFound({ search, role }) };
    return this.totals.page(page, paging, list);
  }

  private counted<T>(page: T[], paging: { skip: number; limit: number }): Promise<T[]> {
    const list = { key: 'users', cacheTags: [membership], count: () => this.repository.count() };
    return this.totals.page(page, paging, list);
  }
}
