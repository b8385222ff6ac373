import { type Ready, startProcess, type StartOptions } from './process.js';

export type { Ready, StartOptions } from './process.js';

/** An answer of the service, with its JSON or undefined. */
export interface Answer<Body = unknown> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface RequestOptions {
  body?: unknown;
  /** An access token. */
  token?: string;
  /** An API key. */
  key?: string;
}

export interface Mail {
  id: string;
  kind: string;
  date: string;
  from: { address: string; name: string };
  to: { address: string; name: string };
  subject: string;
  text: string;
  html: string;
  links: string[];
}

export interface TestUser {
  id: string;
  username: string;
  email: string;
  password: string;
}

export interface UserState {
  username: string;
  email?: string;
  password?: string;
  role?: 'user' | 'admin';
  email_verified?: boolean;
  suspended?: boolean;
  totp?: boolean;
  created_at?: string;
}

export interface ProductState {
  name: string;
  price: number;
  stock: number;
  description?: string;
  created_at?: string;
}

export interface CouponState {
  code: string;
  discount_percent: number;
  max_uses: number;
  current_uses?: number;
  expires_at?: string | null;
  is_active?: boolean;
  is_public?: boolean;
  created_at?: string;
}

export interface OrderState {
  username: string;
  status?: string;
  items: { product_id: number; quantity?: number }[];
  shipping_cost?: number;
  tracking_number?: string;
  created_at?: string;
}

export interface Fault {
  kind: 'payment' | 'mail' | 'webhook' | 'storage';
  effect: 'fail' | 'hang' | 'slow';
  /** How many calls it befalls; 1 by default. */
  count?: number;
}

export interface ReceivedWebhook {
  name: string;
  at: string;
  headers: Record<string, string>;
  body: string;
}

export interface ClockState {
  now: string;
  shift_seconds: number;
}

/** Whether no job is due or in hand, and those that are. */
interface Settled {
  settled: boolean;
  jobs: { task: string; waiting: number; in_hand: number; last_error: string | null }[];
}

const adminUsername = 'admin';

/** A service that runs for a suite. */
export class Store implements Ready {
  readonly url: string;
  readonly adminPassword: string;
  readonly apiKey: string;
  readonly pid: number;

  constructor(
    ready: Ready,
    /** Ends the service; nothing of it is left. */
    readonly stop: () => Promise<void>,
    private readonly settleSeconds = 30,
  ) {
    ({ url: this.url, adminPassword: this.adminPassword, apiKey: this.apiKey, pid: this.pid } = ready);
  }

  /** Sends a request, and returns the answer whatever its status. */
  async request<Body = unknown>(
    method: string,
    path: string,
    { body, token, key }: RequestOptions = {},
  ): Promise<Answer<Body>> {
    const headers = {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'X-API-Key': key }),
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${this.url}${path}`, { method, headers, ...sent });
    const text = await response.text();
    const parsed: unknown = text === '' ? undefined : parsedIfJson(text);
    return { status: response.status, headers: response.headers, body: parsed as Body };
  }

  /** Signs an account in, by default the admin, and returns its access token. */
  async signIn(username = adminUsername, password = this.adminPassword): Promise<string> {
    const body = { username, password };
    return (await this.expected<{ access_token: string }>('POST', '/api/v1/auth/login', body)).access_token;
  }

  /**
   * Puts everything back: rows, ids, pictures, limits, mails, faults and the clock. To the demo's rows, to an admin alone
   * (`empty`), or to those of a file such as `fixtures/shop.json`, from the folder in which the service was started.
   */
  async reset(seed: 'demo' | 'empty' | `${string}.json` = 'demo'): Promise<void> {
    await this.expected('POST', '/test/reset', { seed });
  }

  /** Turns the clock on by seconds, or by a duration such as `P30D`. */
  advance(by: string | number): Promise<ClockState> {
    return this.expected('POST', '/test/clock', { advance: String(by) });
  }

  /** Turns the clock to a time; without one, to the real time. */
  setClock(now?: Date | string): Promise<ClockState> {
    return this.expected('POST', '/test/clock', now === undefined ? {} : { now: new Date(now).toISOString() });
  }

  /** The mails that would have gone out, newest first, once no job is due. */
  async mails(to?: string): Promise<Mail[]> {
    await this.settle();
    return this.expected('GET', to === undefined ? '/test/mails' : `/test/mails?to=${encodeURIComponent(to)}`);
  }

  async clearMails(): Promise<void> {
    await this.expected('DELETE', '/test/mails');
  }

  /** The current code of an account's two-factor login. */
  async totp(username: string): Promise<string> {
    return (await this.expected<{ code: string }>('POST', '/test/totp', { username })).code;
  }

  makeUser(user: UserState): Promise<TestUser> {
    return this.expected('POST', '/test/users', user);
  }

  makeProduct(product: ProductState): Promise<ProductState & { id: number }> {
    return this.expected('POST', '/test/products', product);
  }

  makeCoupon(coupon: CouponState): Promise<CouponState & { id: number }> {
    return this.expected('POST', '/test/coupons', coupon);
  }

  makeOrder(order: OrderState): Promise<{ id: number; status: string }> {
    return this.expected('POST', '/test/orders', order);
  }

  /** Lets the next calls of a kind fail, hang, or be slow. */
  async fault(fault: Fault): Promise<void> {
    await this.expected('POST', '/test/faults', fault);
  }

  async clearFaults(): Promise<void> {
    await this.expected('DELETE', '/test/faults');
  }

  /** Where webhooks may send to. */
  webhookUrl(name = 'suite'): string {
    return `${this.url}/test/webhooks/${encodeURIComponent(name)}`;
  }

  /** What webhooks brought there, newest first. */
  webhooks(name?: string): Promise<ReceivedWebhook[]> {
    return this.expected('GET', `/test/webhooks${name === undefined ? '' : `?name=${encodeURIComponent(name)}`}`);
  }

  /** Waits until no job is due or in hand; throws where that takes longer. */
  async settle(seconds = this.settleSeconds): Promise<void> {
    const { settled, jobs } = await this.expected<Settled>('POST', '/test/settle', { seconds });
    if (settled) return;
    const told = jobs.map(({ task, waiting, in_hand, last_error }) => {
      const failed = last_error === null ? '' : `, which failed before: ${last_error}`;
      return `${task} (${waiting} due, ${in_hand} in hand${failed})`;
    });
    throw new Error(`Jobs are still open after ${seconds} s: ${told.join('; ')}`);
  }

  private async expected<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.request<Body>(method, path, body === undefined ? {} : { body });
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
}

function parsedIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Starts the service on data of its own, and resolves when it is ready. It ends with `stop`, or with this process. */
export async function startStore(options: StartOptions = {}): Promise<Store> {
  const { ready, stop } = await startProcess(options);
  return new Store(ready, stop, options.settleSeconds);
}

type Use<T> = (value: T) => Promise<void>;

/** For Playwright's `test.extend`: `store`, one for each worker, and reset before each test. */
export function storeFixtures(options: StartOptions = {}) {
  // Playwright reads the names of other fixtures from the pattern of the first parameter.
  // oxlint-disable-next-line no-empty-pattern
  const store = async ({}: object, use: Use<Store>): Promise<void> => {
    const started = await startStore(options);
    try {
      await use(started);
    } finally {
      await started.stop();
    }
  };
  const freshStore = async ({ store: started }: { store: Store }, use: Use<void>): Promise<void> => {
    await started.reset();
    await use();
  };
  return {
    store: [store, { scope: 'worker', timeout: 120_000 }],
    freshStore: [freshStore, { auto: true }],
  } as const;
}
