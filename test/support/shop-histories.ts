import type {
  CartLines,
  CartOperation,
  CartResult,
  PaymentOperation,
  PaymentResult,
  StockOperation,
  StockResult,
  TimedOperation,
} from '../../simulation/linearizability.js';
import type { Cart } from '../../src/store/cart/cart.dto.js';
import type { Order } from '../../src/store/orders/orders.dto.js';
import type { ApiAnswer } from './api-client.js';
import type { Answered, Attempt } from './mortal-nodes.js';

type Operations<Operation, Result> = Map<string, TimedOperation<Operation, Result>[]>;
interface Interval {
  called: number;
  ended: number;
}

const codeOf = (answer: ApiAnswer<unknown>) => (answer.body as { code?: string }).code;

/** From the first try of a request, by which it may have taken effect, to its answer. */
export function wholeOf({ attempts }: Answered<unknown>): Interval {
  return { called: attempts[0]!.called, ended: attempts.at(-1)!.ended };
}

/** What callers saw of each cart, of each product's stock and of the money of each order. */
export class ShopHistories {
  readonly carts: Operations<CartOperation, CartResult> = new Map();
  readonly stocks: Operations<StockOperation, StockResult> = new Map();
  readonly money: Operations<PaymentOperation, PaymentResult> = new Map();
  shortages = 0;
  private readonly orderIds = new Set<number>();
  private readonly brokenOrders: { cart: string; attempt: Attempt }[] = [];
  private readonly open: { step: { until?: number }; attempt: Attempt }[] = [];
  private readonly productsByName: Map<string, number>;
  private count = 0;

  constructor(products: readonly { id: number; name: string; stock: number }[], carts: readonly string[]) {
    const called = performance.now();
    this.productsByName = new Map(products.map(({ id, name }) => [name, id]));
    for (const { id, stock } of products) {
      this.addStock(id, { called, ended: called }, { kind: 'set', pieces: stock }, 'done');
    }
    for (const cart of carts) this.add(this.carts, cart, { called, ended: called }, { kind: 'clear' }, { lines: {} });
  }

  /** A request about a cart, and what its answer says of the cart and the stock of the products in it. */
  cart(cart: string, operation: CartOperation, attempt: Attempt<Cart>): void {
    const { answer } = attempt;
    if (answer === null) this.lost(this.carts, cart, attempt, operation);
    else if (answer.status === 200) {
      const lines = answer.body.items.map(({ product_id, quantity }) => [product_id, quantity]);
      this.add(this.carts, cart, attempt, operation, { lines: Object.fromEntries(lines) as CartLines });
      for (const { product } of answer.body.items) this.sawStock(product.id, attempt, product.stock);
    } else this.refusedForStock(attempt, answer);
  }

  /** The order of a cart: by its key it is one, whichever of its requests placed it. */
  order(cart: string, request: Answered<Order>): void {
    const { answer } = request;
    if (answer.status === 201) return this.placed(cart, answer.body, wholeOf(request));
    // It was not placed before this answer, but a request that broke off may yet come through.
    const last = request.attempts.at(-1)!;
    for (const attempt of request.attempts.slice(0, -1)) this.brokenOrders.push({ cart, attempt });
    if (codeOf(answer) === 'empty_cart') this.add(this.carts, cart, last, { kind: 'read' }, { lines: {} });
    else this.refusedForStock(last, answer);
  }

  /** Ends the history: by now it is known when nodes were gone, and which orders there are. */
  finish(orders: readonly { cart: string; order: Pick<Order, 'id' | 'items'> }[]): void {
    for (const { step, attempt } of this.open) step.until = attempt.until();
    for (const { cart, order } of orders) {
      if (this.orderIds.has(order.id)) continue;
      const attempts = this.brokenOrders.filter((one) => one.cart === cart).map(({ attempt }) => attempt);
      const called = Math.min(...attempts.map((attempt) => attempt.called));
      this.placed(cart, order, { called, ended: Math.max(...attempts.map(({ until }) => until())) });
    }
  }

  /** The pieces of an order come back, once. */
  gaveBack({ items }: Order, during: Interval): void {
    for (const { product_id, quantity } of items) {
      this.addStock(product_id, during, { kind: 'give', pieces: [quantity] }, 'done');
    }
  }

  paid(order: Order, name: string, during: Interval): void {
    this.add(this.money, String(order.id), during, { kind: 'pay', name, cents: centsOf(order.total_price) });
  }

  refund(order: Order, name: string, amount: number, request: Answered<unknown>): void {
    const { answer, attempts } = request;
    const operation = { kind: 'refund', name, cents: centsOf(amount) } as const;
    const isDone = answer.status === 201;
    if (!isDone && codeOf(answer) !== 'refund_too_large') throw new Error(`A refund was ${JSON.stringify(answer)}`);
    if (isDone) return this.add(this.money, String(order.id), wholeOf(request), operation, 'done');
    for (const lost of attempts.slice(0, -1)) this.lost(this.money, String(order.id), lost, operation);
    this.add(this.money, String(order.id), attempts.at(-1)!, operation, 'refused');
  }

  sawMoney({ id, paid_total = 0, refunded_total = 0 }: Order, during: Interval): void {
    const result = { paid: centsOf(paid_total), refunded: centsOf(refunded_total) };
    this.add(this.money, String(id), during, { kind: 'read' }, result);
  }

  sawStock(product: number, during: Interval, stock: number): void {
    this.addStock(product, during, { kind: 'read' }, { stock });
  }

  private placed(cart: string, { id, items }: Pick<Order, 'id' | 'items'>, during: Interval): void {
    // Two hands that order the same cart have keys of their own, so that each order is answered to one of them.
    if (this.orderIds.has(id)) throw new Error(`Order ${id} was placed twice`);
    this.orderIds.add(id);
    const lines = Object.fromEntries(items.map(({ product_id, quantity }) => [product_id, quantity])) as CartLines;
    this.add(this.carts, cart, during, { kind: 'order' }, { lines });
    for (const { product_id, quantity } of items) {
      this.addStock(product_id, during, { kind: 'take', pieces: quantity }, 'done');
    }
  }

  private refusedForStock(during: Interval, answer: ApiAnswer<unknown>): void {
    if (codeOf(answer) === 'not_found') return; // the line had left the cart
    const [, stock, name] = /^Only (\d+) of "([^"]+)"/.exec((answer.body as { detail: string }).detail) ?? [];
    const product = this.productsByName.get(name ?? '');
    if (product === undefined) throw new Error(`An unexpected answer: ${JSON.stringify(answer)}`);
    this.shortages += 1;
    this.sawStock(product, during, Number(stock));
  }

  private addStock(product: number, during: Interval, operation: StockOperation, result: StockResult): void {
    this.add(this.stocks, String(product), during, operation, result);
  }

  private lost<O, R>(to: Operations<O, R>, key: string, attempt: Attempt, operation: O): void {
    this.open.push({ step: this.push(to, key, { called: attempt.called, ended: null, operation }), attempt });
  }

  private add<O, R>(to: Operations<O, R>, key: string, { called, ended }: Interval, operation: O, result?: R): void {
    this.push(to, key, { called, ended, operation, ...(result === undefined ? {} : { result }) });
  }

  private push<O, R>(to: Operations<O, R>, key: string, step: Omit<TimedOperation<O, R>, 'id'>): TimedOperation<O, R> {
    const known = to.get(key) ?? [];
    const added = { id: `${++this.count}`, ...step };
    known.push(added);
    to.set(key, known);
    return added;
  }
}

function centsOf(amount: number): number {
  return Math.round(amount * 100);
}
