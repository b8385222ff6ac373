import { Injectable } from '@nestjs/common';
import { totalOf, withTotal } from '../../platform/http/total-count.js';
import { UserListsService } from '../users/user-lists.service.js';
import type { UserFilter } from '../users/users.dto.js';
import type { Customer } from './customers.dto.js';
import { CustomersRepository } from './customers.repository.js';

const nothingBought = { orders_count: 0, spent_total: 0, last_order_at: null };

/** Accounts with what they bought. */
@Injectable()
export class CustomersService {
  constructor(
    private readonly users: UserListsService,
    private readonly repository: CustomersRepository,
  ) {}

  /** A page of accounts, or of the filter's matches. */
  async list(filter: UserFilter): Promise<Customer[]> {
    const page = await this.users.list(filter);
    const figures = await this.repository.figuresOf(page.map(({ id }) => id));
    const customers = page.map((user) => Object.assign({}, user, figures.get(user.id) ?? nothingBought));
    return withTotal(customers, totalOf(page));
  }
}
