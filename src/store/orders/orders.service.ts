import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../../common/auth/access-policy.js';
import type { CallerIdentity } from '../../common/auth/caller.js';
import { Conflict, found } from '../../common/errors/kinds.js';
import { Changes } from '../../database/changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { orderedProducts } from '../catalogue/product-topics.js';
import { isUndone, mayBecome, nextStatuses, type OrderStatus } from './order-status.js';
import { withoutShipping } from './orders.mapper.js';
import { OrdersRepository } from './orders.repository.js';
import type { Order, OrderFilter } from './orders.shapes.js';

/** The orders that were placed, and what becomes of them. */
@Injectable()
export class OrdersService {
  constructor(
    private readonly repository: OrdersRepository,
    private readonly policy: AccessPolicy,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: Changes,
  ) {}

  /** All orders of the caller, newest first. */
  // Not shown: paging of this list; it answers all, as its interface has no page to ask for.
  listOwn(caller: CallerIdentity): Promise<Order[]> {
    return this.repository.ofUser(caller.id);
  }

  /**
   * One order; its shipping fields are null for anyone but its owner or an admin. `NotFound` where there is none,
   * `Forbidden` for others under the hardened policy.
   */
  async get(id: number, caller: CallerIdentity | null): Promise<Order> {
    const order = found(await this.repository.byId(id), 'Order');
    this.policy.demandOwnerOrAdmin(caller, order.user_id, 'Only the owner or an admin may see this order');
    return this.policy.ownerOrAdmin(caller, order.user_id) ? order : withoutShipping(order);
  }

  /** A page of all orders, newest first; of one status where it is given. */
  list({ skip, limit, status_filter }: OrderFilter): Promise<Order[]> {
    return this.repository.page(skip, limit, status_filter || undefined);
  }

  /**
   * Moves an order to another status and answers it; cancelling returns its stock and its use of a coupon. The status
   * that it has already changes nothing. `NotFound` where there is none, `Conflict` where it cannot come to that status.
   */
  changeStatus(id: number, status: OrderStatus): Promise<Order> {
    return this.unitOfWork.run(async () => {
      const { status: former, coupon_id } = found(await this.repository.lock(id), 'Order');
      const moves = former !== status;
      if (moves) {
        demandTransition(former, status);
        if (status === 'cancelled') await this.repository.giveBack(id, coupon_id);
        await this.repository.setStatus(id, status);
      }
      const order = found(await this.repository.byId(id), 'Order');
      if (moves && isUndone(status)) this.changes.touch(orderedProducts(order.items.map((item) => item.product_id)));
      return order;
    });
  }
}

function demandTransition(from: OrderStatus, to: OrderStatus): void {
  if (mayBecome(from, to)) return;
  const next = nextStatuses(from);
  const way = next.length > 0 ? `from there it can become ${next.join(', ')}` : 'and stays so';
  throw new Conflict(`The order is ${from} and cannot become ${to}; ${way}`, 'impossible_transition');
}
