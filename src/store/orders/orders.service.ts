import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { AccessPolicy } from '../../platform/auth/access-policy.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { Conflict, Forbidden, found, NotFound } from '../../platform/errors/errors.js';
import { ListTotals, totalOf, withTotal } from '../../platform/http/total-count.js';
import { isUuid } from '../../platform/validation/check-value.js';
import { Changes } from '../../database/changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { orderedProducts } from '../catalogue/product-cache-tags.js';
import {
  isFinal,
  knownStatus,
  mayBecome,
  nextStatuses,
  type OrderState,
  orderStatuses,
  reachedWith,
  wasShipped,
} from './order-status.js';
import { searchedPeople } from '../users/name-search.statements.js';
import { toAdmins, toRecentOrder, toStrangersOrder, withoutName } from './orders.mapper.js';
import type { OrderEntity } from './order.entity.js';
import {
  type FailedPayment,
  type OrderConditions,
  type OrderPage,
  OrdersRepository,
  type StoredOrder,
} from './orders.repository.js';
import type {
  AdminOrder,
  Order,
  OrderFilter,
  OrderMove,
  OrderMoves,
  OrderPaging,
  OrderSort,
  OrderStatusOfMany,
  RecentOrder,
} from './orders.dto.js';

/** The largest number of an order that the database can hold. */
const maxNumber = 2_147_483_647;

/** Placed orders. */
@Injectable()
export class OrdersService {
  constructor(
    private readonly repository: OrdersRepository,
    private readonly policy: AccessPolicy,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: Changes,
    private readonly totals: ListTotals,
    private readonly audit: AuditLog,
  ) {}

  /** A page of the caller's orders, newest first. */
  async listOwn({ skip, limit }: OrderPaging, caller: CallerIdentity): Promise<Order[]> {
    const page = await this.page({ skip, limit }, { userId: caller.id }, '-created_at');
    return withTotal(
      page.map(({ order }) => withoutName(order)),
      totalOf(page) ?? 0,
    );
  }

  /**
   * One order; its shipping fields and its coupon are null for anyone but its owner or an admin. `NotFound` where there
   * is none, `Forbidden` for others under the hardened policy.
   */
  async get(id: number, caller: CallerIdentity | null): Promise<Order> {
    const { order, reached } = found(await this.repository.byId(id), 'Order');
    this.policy.assertOwnerOrAdmin(caller, order.user_id, 'Only the owner or an admin may see this order');
    if (caller?.role === 'admin') return toAdmins(order, reached);
    return this.policy.ownerOrAdmin(caller, order.user_id) ? order : toStrangersOrder(order);
  }

  /** A page of all orders, as the filter narrows and sorts them. */
  async list({ skip, limit, sort, ...filter }: OrderFilter): Promise<AdminOrder[]> {
    const { status_filter, since, until, customer, search, number } = filter;
    const given: OrderConditions = {
      status: status_filter ? (knownStatus(status_filter) ?? status_filter) : undefined,
      since,
      until,
      number,
      ...(customer !== undefined && (isUuid(customer) ? { userId: customer } : { customer: searchedPeople(customer) })),
      ...(search !== undefined && { search: [...searchedPeople(search), numberIn(search)] }),
    };
    const page = await this.page({ skip, limit }, given, sort);
    return withTotal(
      page.map(({ order, reached }) => toAdmins(order, reached)),
      totalOf(page) ?? 0,
    );
  }

  /** The newest orders of all customers, in short. */
  async newest(limit: number): Promise<RecentOrder[]> {
    return (await this.repository.newest(limit)).map(toRecentOrder);
  }

  private async page(
    { skip, limit }: OrderPaging,
    given: OrderConditions,
    sort: OrderSort,
  ): Promise<OrderPage['orders']> {
    const { orders, endsEarly } = await this.repository.page(skip, limit, given, sort);
    const count = () => this.repository.count(given);
    return this.totals.page(orders, { skip, limit }, { key: 'orders', endsEarly, count });
  }

  /**
   * Moves orders to a status, each in a unit of work of its own and by the rules of one: a refusal does not stop the
   * others, and no order holds locks while the next one waits. Returns the outcome of each. `Invalid` as for one.
   */
  async changeStatusOfMany({ order_ids, new_status }: OrderStatusOfMany): Promise<OrderMoves> {
    const status = this.statusOf(new_status, 'body');
    const results: OrderMove[] = [];
    for (const order_id of new Set(order_ids)) results.push(await this.moveOfMany(order_id, status));
    return { results };
  }

  private async moveOfMany(order_id: number, status: string): Promise<OrderMove> {
    const refused = { code: null, detail: null };
    try {
      const { isMoved } = await this.changed(order_id, status);
      return { order_id, outcome: isMoved ? 'updated' : 'unchanged', ...refused };
    } catch (error) {
      if (error instanceof NotFound) return { order_id, outcome: 'not_found', ...refused };
      if (!(error instanceof Conflict)) throw error;
      return { order_id, outcome: 'refused', code: error.code, detail: error.message };
    }
  }

  /**
   * Moves an order to another status and returns it. Canceling it, or refunding what was not shipped, returns its stock
   * and its use of a coupon. Its present status changes nothing. `NotFound` if there is no such order, `Conflict` where
   * it cannot reach that status, `Invalid` under the hardened policy for an unknown word.
   */
  async changeStatus(id: number, word: string): Promise<Order> {
    const { order, reached } = await this.changed(id, this.statusOf(word));
    return toAdmins(order, reached);
  }

  private changed(id: number, status: string): Promise<StoredOrder & { isMoved: boolean }> {
    return this.unitOfWork.run(async () => {
      const order = found(await this.repository.lock(id), 'Order');
      if (order.status === status) return { ...found(await this.repository.byId(id), 'Order'), isMoved: false };
      assertTransition(order, status);
      return { ...(await this.move(order, status)), isMoved: true };
    });
  }

  /**
   * Cancels the caller's own order while it is pending, and returns it; a cancelled one stays as it is. `NotFound` if
   * there is none, `Forbidden` for another's, `Conflict` once it is more than pending.
   */
  cancel(id: number, caller: CallerIdentity): Promise<Order> {
    return this.unitOfWork.run(async () => {
      const order = found(await this.repository.lock(id), 'Order');
      if (order.userId !== caller.id)
        throw new Forbidden('Only the owner of an order can cancel it here', 'not_the_owner');
      if (order.status === 'cancelled') return found(await this.repository.byId(id), 'Order').order;
      assertPending(order);
      return (await this.move(order, 'cancelled')).order;
    });
  }

  /** Tells those who listen that a payment of an order failed; call it in the unit of work that records that. */
  paymentFailed(id: number, payment: FailedPayment): Promise<void> {
    return this.repository.tellFailedPayment(id, payment);
  }

  /** Writes the new status of a locked order, with its effects on the stock and the coupon, and returns the order. */
  private async move(order: OrderEntity, status: string): Promise<StoredOrder> {
    const { id, couponId } = order;
    if (isFinal(status) && !wasShipped(order)) await this.repository.giveBack(id, couponId);
    await this.repository.setState(id, { status, reached: reachedWith(order, status) });
    await this.repository.tellStatus(id, status);
    const changes = { status: { from: order.status, to: status } };
    await this.audit.record({ action: 'order.status_changed', subject: { id }, changes });
    // Through a word of the shop's own, an order may be shipped a second time.
    if (status === 'shipped' && !wasShipped(order)) await this.repository.mailShipped(id);
    const moved = found(await this.repository.byId(id), 'Order');
    // Undone orders do not count among a product's, so its figure changes even where no stock came back.
    if (isFinal(status)) this.changes.invalidate(orderedProducts(moved.order.items.map((item) => item.product_id)));
    return moved;
  }

  // Unspecified: the words. The description calls the status a free string, so the service keeps a shop's own words as
  // they came.
  private statusOf(word: string, place: 'query' | 'body' = 'query'): string {
    const known = knownStatus(word);
    if (known === null && this.policy.hardened) {
      const msg = `Input should be one of ${orderStatuses.join(', ')}`;
      throw Invalid.at([place, 'new_status'], 'enum', msg, word);
    }
    return known ?? word;
  }
}

/** The number of an order that a text is, `#240` too. */
function numberIn(text: string): string | null {
  const number = /^#?([1-9][0-9]{0,9})$/.exec(text)?.[1];
  return number === undefined || Number(number) > maxNumber ? null : number;
}

function assertTransition(order: OrderState, to: string): void {
  if (mayBecome(order, to)) return;
  const next = nextStatuses(order);
  const sentence = isFinal(order.status)
    ? `The order is ${order.status}, which is final: it cannot become ${to}`
    : `The order is ${order.status} and cannot become ${to}; from there it can become ${next.join(', ')}`;
  throw new Conflict(sentence, 'impossible_transition');
}

function assertPending(order: OrderState): void {
  if (order.status === 'pending' && mayBecome(order, 'cancelled')) return;
  const sentence = wasShipped(order)
    ? 'A shipped order cannot be canceled: write to the shop'
    : `The order is ${order.status}: its owner can cancel only a pending one. Write to the shop`;
  throw new Conflict(sentence, 'impossible_transition');
}
