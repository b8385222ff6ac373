import { Injectable } from '@nestjs/common';
import type { AuditActor } from '../../platform/audit/audit-actor.js';
import { AuditLog, shopLog } from '../../platform/audit/audit-log.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { AccessPolicy } from '../../platform/auth/access-policy.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { Conflict, Forbidden, found, NotFound } from '../../platform/errors/errors.js';
import { ListTotals, totalOf, withTotal } from '../../platform/http/total-count.js';
import { isUuid } from '../../platform/validation/check-value.js';
import { listed } from '../../database/filtered-statement.js';
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
import { calledPaid, cautionsOf } from './order-cautions.js';
import type { LockedOrder } from './order-payment.js';
import type { OrderEntity } from './order.entity.js';
import { type OrderSearch, searchedOrders } from './order-search.statements.js';
import { toRecentOrder, toStrangersOrder, withNext, withoutName } from './orders.mapper.js';
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

/** How an order is moved where nobody asks for its status itself. */
interface MoveOptions {
  /** Who moves it, if that is not the caller of the request. */
  actor?: AuditActor;
  /** Whether the pieces of an order that is undone go back into stock. */
  restock?: boolean;
}

/** The changes of an order among which a status that says it is paid is looked for. */
const mostChanges = 100;

/** The orders of one request that are moved at the same time, each on a connection of its own. */
const movedAtOnce = 4;

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
    private readonly trail: AuditTrailService,
  ) {}

  /** A page of the caller's orders, newest first. */
  async listOwn({ skip, limit }: OrderPaging, caller: CallerIdentity): Promise<Order[]> {
    const page = await this.page({ skip, limit }, { userId: caller.id }, '-created_at');
    return withTotal(
      page.map(({ order, reached }) => withNext(withoutName(order), reached)),
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
    const shown = withNext(order, reached);
    return this.policy.ownerOrAdmin(caller, order.user_id) ? shown : toStrangersOrder(shown);
  }

  /** One order as the shop sees it; `NotFound` where there is none. */
  async read(id: number): Promise<Order> {
    const { order, reached } = found(await this.repository.byId(id), 'Order');
    return withNext(order, reached);
  }

  /** A page of all orders, as the filter narrows and sorts them. */
  async list({ skip, limit, sort, ...filter }: OrderFilter): Promise<AdminOrder[]> {
    const { status_filter, status, queue, since, until, customer, search, number } = filter;
    const given: OrderConditions = {
      status: status_filter ? (knownStatus(status_filter) ?? status_filter) : undefined,
      statuses: listed([...new Set(status?.map((word) => knownStatus(word) ?? word))]),
      ...(queue !== undefined && { [queue]: true }),
      since,
      until,
      number,
      ...(customer !== undefined && (isUuid(customer) ? { userId: customer } : { customer: searchedPeople(customer) })),
    };
    const page = await this.page({ skip, limit }, given, sort, search === undefined ? null : searchedOrders(search));
    return withTotal(
      page.map(({ order, reached }) => withNext(order, reached)),
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
    search: OrderSearch | null = null,
  ): Promise<OrderPage['orders']> {
    const { orders, endsEarly } = await this.repository.page(skip, limit, given, sort, search);
    const count = () => this.repository.count(given, search);
    return this.totals.page(orders, { skip, limit }, { key: 'orders', endsEarly, count });
  }

  /**
   * Moves orders to a status, a few at a time, each in a unit of work of its own and by the rules of one: a refusal does
   * not stop the others, and no order holds locks while a later one waits. Returns the outcome of each. `Invalid` as for one.
   */
  async changeStatusOfMany({ order_ids, new_status, confirm }: OrderStatusOfMany): Promise<OrderMoves> {
    const status = this.statusOf(new_status, 'body');
    const ids = [...new Set(order_ids)];
    const results: OrderMove[] = [];
    for (let at = 0; at < ids.length; at += movedAtOnce) {
      const few = ids.slice(at, at + movedAtOnce);
      results.push(...(await Promise.all(few.map((order_id) => this.moveOfMany(order_id, status, confirm)))));
    }
    return { results };
  }

  private async moveOfMany(order_id: number, status: string, isConfirmed: boolean): Promise<OrderMove> {
    const refused = { code: null, detail: null };
    try {
      const { isMoved } = await this.changed(order_id, status, isConfirmed);
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
   * it cannot reach that status, or where a person would stop and `confirm` does not say to go on; `Invalid` under the
   * hardened policy for an unknown word.
   */
  async changeStatus(id: number, word: string, confirm: boolean = !this.policy.hardened): Promise<Order> {
    const { order, reached } = await this.changed(id, this.statusOf(word), confirm);
    return withNext(order, reached);
  }

  private changed(id: number, status: string, isConfirmed: boolean): Promise<StoredOrder & { isMoved: boolean }> {
    return this.unitOfWork.run(async () => {
      const order = found(await this.repository.lock(id), 'Order');
      if (order.status === status) return { ...found(await this.repository.byId(id), 'Order'), isMoved: false };
      assertTransition(order, status);
      if (!isConfirmed) await this.assertNoCaution(order, status);
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
      const isCancelled = order.status === 'cancelled';
      if (!isCancelled) assertPending(order);
      const cancelled = isCancelled
        ? found(await this.repository.byId(id), 'Order')
        : await this.move(order, 'cancelled');
      return withNext(cancelled.order, cancelled.reached);
    });
  }

  /** Tells those who listen that a payment of an order failed; call it in the unit of work that records that. */
  paymentFailed(id: number, payment: FailedPayment): Promise<void> {
    return this.repository.tellFailedPayment(id, payment);
  }

  /** Tells those who listen that part of an order was refunded; a whole refund is told with the status. */
  partlyRefunded(id: number): Promise<void> {
    return this.repository.tellStatus(id, 'refunded');
  }

  /** Locks an order until the unit of work ends; null if there is none. */
  lock(id: number): Promise<LockedOrder | null> {
    return this.repository.lock(id);
  }

  private async assertNoCaution(order: OrderEntity, to: string): Promise<void> {
    const cautions = await cautionsOf(order, to, () => this.wasSaidPaid(order.id));
    if (cautions.length === 0) return;
    const sentence = `Order ${order.id} would become ${to}, but ${cautions.join(', and ')}`;
    throw new Conflict(`${sentence}: repeat it with confirm=true if that is meant`, 'needs_confirmation');
  }

  /** Whether the shop once gave an order a status that says it is paid, as far as the audit log reaches back. */
  private async wasSaidPaid(id: number): Promise<boolean> {
    const filter = { action: 'order.status_changed', subjectId: String(id) } as const;
    const { data } = await this.trail.list(shopLog, { size: mostChanges }, filter);
    return data.some(({ changes: { status } }) => status && 'to' in status && calledPaid.includes(String(status.to)));
  }

  /** Writes the new status of a locked order, with its effects on the stock and the coupon, and returns the order. */
  async move(order: LockedOrder, status: string, { actor, restock = true }: MoveOptions = {}): Promise<StoredOrder> {
    const { id } = order;
    if (isFinal(status) && !wasShipped(order)) await this.repository.giveBack(order, restock);
    await this.repository.setState(order, { status, reached: reachedWith(order, status) });
    await this.repository.tellStatus(id, status);
    const changes = { status: { from: order.status, to: status } };
    await this.audit.record({ action: 'order.status_changed', subject: { id }, changes, ...(actor && { actor }) });
    // Through a word of the shop's own, an order may be shipped a second time.
    if (status === 'shipped' && !wasShipped(order) && (await this.repository.queueMail(id, 'shipped'))) {
      const mailed = { mail: { from: null, to: 'shipped' } };
      await this.audit.record({ action: 'order.mail_sent', subject: { id }, changes: mailed });
    }
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
