import { type Answer, type EndState, type HistoryEntry, type Violation } from '../../simulation/history.js';
import { judge } from '../../simulation/model/index.js';

type Body = Record<string, unknown> | unknown[] | null;

interface Asked {
  client?: string;
  node?: 0 | 1;
  body?: Body;
  token?: string;
  key?: string;
  headers?: Record<string, string>;
  /** How many entries before it ended while it was under way. */
  beside?: number;
  requestId?: string;
}

/** A history as a test tells it, entry by entry, on a clock of its own. */
export class Story {
  readonly entries: HistoryEntry[] = [];
  private readonly lists = new Map<string, unknown>();
  private time = Date.parse('2026-03-02T08:00:00.000Z');

  get now(): string {
    return new Date(this.time).toISOString();
  }

  later(milliseconds: number): this {
    this.time += milliseconds;
    return this;
  }

  private add(entry: object): number {
    const n = this.entries.length;
    this.entries.push({ n, at: this.now, ...entry } as HistoryEntry);
    return n;
  }

  /** A request and its answer: a status and a body, or `lost`. Returns its entry. */
  ask(method: string, path: string, asked: Asked, ...[status, body]: [number, Body?] | ['lost']): number {
    const sentAt = this.now;
    const {
      client = 'shopper-1',
      node = 0,
      token,
      key,
      beside = 0,
      requestId = `request-${this.entries.length}`,
    } = asked;
    this.later(100);
    return this.add({
      kind: 'request',
      client,
      node,
      sentAt,
      sentN: this.entries.length - beside,
      method,
      path: `/api/v1${path}`,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...asked.headers,
      },
      body: asked.body ?? null,
      answer:
        status === 'lost'
          ? { lost: 'connection reset' }
          : { status, headers: { 'x-request-id': requestId, 'www-authenticate': 'Bearer' }, body: body ?? null },
    });
  }

  mail(id: string, to: string, subject: string, text: string): number {
    return this.add({ kind: 'mail', id, to, subject, text });
  }

  deliver(receiver: string, headers: Record<string, string>, body: string, status: number): number {
    return this.add({ kind: 'delivery', receiver, headers, body, answer: { status } });
  }

  /** The provider pays back. */
  payBack(id: string, orderId: number, amount: number): number {
    return this.add({ kind: 'payback', id, order: orderId, amount });
  }

  fault(what: string): number {
    return this.add({ kind: 'fault', what });
  }

  /** What the end state answers at a path, whatever its query; elsewhere it answers 404. */
  atEnd(path: string, body: unknown): this {
    this.lists.set(path, body);
    return this;
  }

  /** The violations that the model finds. */
  judged(): Promise<Violation[]> {
    const read = (_: string, path: string): Promise<Answer> => {
      const [plain = path] = path.split('?');
      const known = this.lists.get(plain) ?? this.lists.get(plain.replace('/api/v1', ''));
      return Promise.resolve({ status: known === undefined ? 404 : 200, headers: {}, body: known ?? null });
    };
    const end: EndState = { read, rows: () => Promise.resolve([]) };
    return judge(this.entries, end);
  }

  /** Signs a customer up and in; the token is `token-NAME`. */
  signIn(username: string): string {
    const id = userId(username);
    const body = { username, email: `${username}@example.com`, password: 'battery-horse-7' };
    this.ask('POST', '/auth/register', { body }, 201, { id, ...body });
    this.mail(`welcome-${username}`, body.email, 'Welcome', `https://shop.example/account/confirm?token=${username}-1`);
    const token = `token-${username}`;
    const answer = { access_token: token, expires_in: 3600, refresh_token: `refresh-${username}` };
    this.ask('POST', '/auth/login', { body: { username, password: body.password } }, 200, answer);
    return token;
  }
}

export function userId(username: string): string {
  return `user-of-${username}`;
}

export interface Line {
  product: number;
  pieces: number;
  price?: number;
}

/** An order as the service answers it; `fields` change what a good one has. */
export function order(id: number, lines: Line[], fields: Record<string, unknown> = {}): Record<string, unknown> {
  const cents = lines.reduce((sum, { pieces, price = 10 }) => sum + Math.round(price * 100) * pieces, 0);
  const discount = Math.round(Number(fields.discount ?? 0) * 100);
  const shipping = Math.round(Number(fields.shipping_cost ?? 0) * 100);
  return {
    id,
    user_id: userId('ada'),
    status: 'pending',
    subtotal: cents / 100,
    discount: 0,
    total_price: (cents - discount + shipping) / 100,
    shipping_cost: null,
    coupon_code: null,
    paid_total: 0,
    refunded_total: 0,
    // Before the history, so that no rule asks who placed it.
    created_at: '2026-03-02T07:00:00.000Z',
    items: lines.map(({ product, pieces, price = 10 }, place) => ({
      id: id * 10 + place,
      product_id: product,
      quantity: pieces,
      price,
      name: `Thing ${product}`,
    })),
    ...fields,
  };
}

/** A cart as the service answers it. */
export function cart(lines: Line[]): Record<string, unknown> {
  const items = lines.map(({ product, pieces }) => ({ id: product + 100, product_id: product, quantity: pieces }));
  return { id: 1, user_id: userId('ada'), items };
}

/** The mail that an order brings. */
export function placedMail(story: Story, placed: Record<string, unknown>): number {
  const lines = (placed.items as { name: string; quantity: number }[]).map(
    ({ name, quantity }) => `${quantity} × ${name}`,
  );
  const text = `${lines.join('\n')}\nTotal: $${Number(placed.total_price).toFixed(2)}`;
  return story.mail(`placed-${String(placed.id)}`, 'ada@example.com', `Your order ${String(placed.id)}`, text);
}

/** The rules that were broken, each with its entry. */
export function broken(violations: Violation[]): [string, number | undefined][] {
  return violations.map(({ rule, entry }) => [rule, entry]);
}
