import { setTimeout as sleep } from 'node:timers/promises';
import type { CartOperation } from '../../simulation/linearizability.js';
import type { Cart } from '../../src/store/cart/cart.dto.js';
import type { Order } from '../../src/store/orders/orders.dto.js';
import type { InsertedUser } from './accounts.js';
import type { ApiAnswer, ApiClient } from './api-client.js';
import { placeOrder } from './checkout.js';
import type { MortalNodes } from './mortal-nodes.js';
import { deliver } from './payments.js';
import { type ShopHistories, wholeOf } from './shop-histories.js';
import type { StripeServer } from './stripe-server.js';

/** More than these wait for no manager: the shoppers then fill their carts only. */
const mostWaiting = 12;

interface PlacedOrder {
  order: Order;
  owner: InsertedUser;
}

export interface CrowdScene {
  nodes: MortalNodes;
  histories: ShopHistories;
  stripe: StripeServer;
  admin: InsertedUser;
  products: readonly number[];
}

/** Clients of a shop who write down what they see: two hands on each cart, and managers of the orders' money. */
export class ShopCrowd {
  cancelled = 0;
  refunded = 0;
  private isOver = false;
  private orders = 0;
  private readonly waiting: PlacedOrder[] = [];
  private readonly working: Promise<void>[] = [];

  constructor(private readonly scene: CrowdScene) {}

  start(shoppers: readonly InsertedUser[], managers: number): void {
    for (const shopper of shoppers) this.working.push(this.shop(shopper), this.shop(shopper));
    for (let count = 0; count < managers; count++) this.working.push(this.manage());
  }

  /** Ends when one of the clients fails. */
  failed(): Promise<unknown> {
    return Promise.race(this.working);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.working);
  }

  private async shop(user: InsertedUser): Promise<void> {
    let seen: Cart['items'] = [];
    while (!this.isOver) {
      if (Math.random() < 0.15 && this.waiting.length < mostWaiting) await this.order(user);
      else seen = await this.change(user, seen);
      await this.rest();
    }
  }

  /** Changes or reads a cart; returns its lines, or those of before. */
  private async change(user: InsertedUser, seen: Cart['items']): Promise<Cart['items']> {
    const { nodes, histories, products } = this.scene;
    const { token } = user;
    const line = anyOf(seen);
    const act = line ? Math.random() : Math.random() * 0.6;
    let operation: CartOperation;
    let send: (api: ApiClient) => Promise<ApiAnswer<Cart>>;
    if (act < 0.4) {
      const [product, pieces] = [anyOf(products)!, 1 + Math.floor(Math.random() * 3)];
      operation = { kind: 'add', product, pieces };
      send = (api) => api.post('/api/v1/cart/add', { token, json: { product_id: product, quantity: pieces } });
    } else if (act < 0.57) {
      operation = { kind: 'read' };
      send = (api) => api.get('/api/v1/cart/', { token });
    } else if (act < 0.6) {
      operation = { kind: 'clear' };
      send = (api) => api.delete('/api/v1/cart/', { token });
    } else if (act < 0.8) {
      const pieces = 1 + Math.floor(Math.random() * 4);
      operation = { kind: 'set', product: line!.product_id, pieces };
      send = (api) => api.put(`/api/v1/cart/items/${line!.id}`, { token, json: { quantity: pieces } });
    } else {
      operation = { kind: 'remove', product: line!.product_id };
      send = (api) => api.delete(`/api/v1/cart/items/${line!.id}`, { token });
    }
    const attempt = await nodes.once(send);
    histories.cart(user.id, operation, attempt);
    return attempt.answer?.status === 200 ? attempt.answer.body.items : seen;
  }

  private async order(owner: InsertedUser): Promise<void> {
    const { nodes, histories } = this.scene;
    const key = `order-${++this.orders}`;
    const request = await nodes.answered((api) => placeOrder(api, owner, key));
    histories.order(owner.id, request);
    if (request.answer.status === 201) this.waiting.push({ order: request.answer.body, owner });
  }

  /** Cancels orders, or takes and returns their money, until nobody orders any more and all orders are settled. */
  private async manage(): Promise<void> {
    while (!this.isOver || this.waiting.length > 0) {
      const next = this.waiting.shift();
      if (next && Math.random() < 0.3) await this.cancel(next.order);
      else if (next) await this.payAndRefund(next);
      await this.rest();
    }
  }

  /** Cancels an order at both nodes at once. */
  private async cancel(order: Order): Promise<void> {
    const { nodes, histories, admin } = this.scene;
    const path = `/api/v1/admin/orders/${order.id}/status?new_status=cancelled`;
    const cancels = await Promise.all(
      ([0, 1] as const).map((node) => nodes.answered((api) => api.put(path, { token: admin.token }), node)),
    );
    for (const { answer } of cancels) expectStatus(answer, 200);
    const times = cancels.map(wholeOf);
    histories.gaveBack(order, {
      called: Math.min(...times.map(({ called }) => called)),
      ended: Math.min(...times.map(({ ended }) => ended)),
    });
    this.cancelled += 1;
  }

  private async payAndRefund({ order, owner }: PlacedOrder): Promise<void> {
    const { nodes } = this.scene;
    const headers = { 'idempotency-key': `pay-${order.id}` };
    const page = await nodes.answered((api) =>
      api.post(`/api/v1/orders/${order.id}/payment`, { token: owner.token, headers }),
    );
    expectStatus(page.answer, 200);
    await this.watched(order, () => this.capture(order));
    await this.watched(order, () => this.refund(order));
    this.refunded += 1;
  }

  /** The customer pays; both nodes are told by webhooks, and the browser comes back to one of them. */
  private async capture(order: Order): Promise<void> {
    const { nodes, histories, stripe } = this.scene;
    const called = performance.now();
    const session = stripe.pay(stripe.sessionOf(order.id));
    const told = stripe.event('checkout.session.completed', session);
    const [first, second] = await Promise.all([
      nodes.answered((api) => deliver(api, told), 0),
      nodes.answered((api) => deliver(api, told), 1),
      nodes.answered((api) => api.get(new URL(session.success_url).pathname)),
    ]);
    for (const { answer } of [first, second]) expectStatus(answer, 200);
    histories.paid(order, session.id, { called, ended: Math.min(wholeOf(first).ended, wholeOf(second).ended) });
  }

  /** Refunds parts of an order at once that are together more than it cost; those that fit are the whole. */
  private async refund(order: Order): Promise<void> {
    const { nodes, histories, admin } = this.scene;
    const large = Math.round(order.total_price * 60) / 100;
    const small = Math.round((order.total_price - large) * 100) / 100;
    const called = performance.now();
    await Promise.all(
      [large, small, large].map(async (amount, at) => {
        const key = `refund-${order.id}-${at}`;
        const request = await nodes.answered((api) =>
          api.post(`/api/v1/admin/orders/${order.id}/refunds`, {
            token: admin.token,
            json: { amount },
            headers: { 'idempotency-key': key },
          }),
        );
        histories.refund(order, key, amount, request);
      }),
    );
    histories.gaveBack(order, { called, ended: performance.now() });
  }

  /** Reads the money of an order while something happens to it. */
  private async watched(order: Order, work: () => Promise<void>): Promise<void> {
    const { nodes, histories, admin } = this.scene;
    const state = { isDone: false };
    const watch = async () => {
      for (let reads = 0; reads < 3 || !state.isDone; reads++) {
        const attempt = await nodes.once((api) => api.get<Order>(`/api/v1/orders/${order.id}`, { token: admin.token }));
        if (attempt.answer === null) continue;
        expectStatus(attempt.answer, 200);
        histories.sawMoney(attempt.answer.body, attempt);
      }
    };
    await Promise.all([watch(), work().finally(() => (state.isDone = true))]);
  }

  /** While one node is away the clients hold back, so that most of the history is of two nodes. */
  private rest(): Promise<void> {
    return sleep(Math.random() * (this.scene.nodes.areBothAlive ? 5 : 150));
  }
}

function expectStatus(answer: ApiAnswer<unknown>, status: number): void {
  if (answer.status !== status) throw new Error(`Expected ${status}: ${JSON.stringify(answer)}`);
}

function anyOf<T>(values: readonly T[]): T | undefined {
  return values[Math.floor(Math.random() * values.length)];
}
