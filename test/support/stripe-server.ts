import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import type { Deferred } from './deferred.js';

/** How it responds: as Stripe does, with 500 instead of or after its work, never, or by hanging up. */
type Mood = 'well' | 'broken' | 'broken-after' | 'silent' | 'away';

/** What a test knows of a Checkout Session; the names are Stripe's. */
interface Session {
  id: string;
  object: 'checkout.session';
  url: string | null;
  client_reference_id: string | null;
  metadata: Record<string, string>;
  mode: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  payment_intent: string | null;
  amount_total: number;
  currency: string;
  created: number;
  expires_at: number;
  success_url: string;
}

interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  currency: string;
  payment_intent: string;
  metadata: Record<string, string>;
  status: 'succeeded' | 'failed';
}

interface Reply {
  status: number;
  body: object;
}

interface SavedReply extends Reply {
  params: string;
}

export interface SignedEvent {
  body: string;
  headers: Record<string, string>;
}

const secret = 'whsec_test_0123456789abcdef';
const day = 86_400;

const refusal = (message: string, code?: string, status = 400): Reply => ({
  status,
  body: { error: { type: 'invalid_request_error', message, ...(code ? { code } : {}) } },
});
const fault: Reply = { status: 500, body: { error: { type: 'api_error', message: 'An error occurred' } } };

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function metadataOf(params: URLSearchParams): Record<string, string> {
  const pairs = [...params].flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
    return key === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(pairs);
}

/**
 * A stand-in for Stripe's interface, by its published description: Checkout Sessions and refunds, with keys whose answers are
 * repeated for good, those of errors included, and events that Stripe's own package signs.
 */
export class StripeServer {
  mood: Mood = 'well';
  /** Holds answers back, after the work is done. */
  hold: Deferred<void> | undefined;
  readonly requests: string[] = [];
  readonly sessions = new Map<string, Session>();
  readonly refunds: Refund[] = [];
  /** Settings of a service that is paid here. */
  readonly env: Record<string, string>;
  private readonly saved = new Map<string, SavedReply>();
  private count = 0;

  private constructor(private readonly server: ReturnType<typeof createServer>) {
    const { port } = server.address() as AddressInfo;
    this.env = {
      STRIPE_SECRET_KEY: 'sk_test_0123456789',
      STRIPE_WEBHOOK_SECRET: secret,
      STRIPE_API_URL: `http://127.0.0.1:${port}`,
      PAYMENT_TIMEOUT_SECONDS: '3',
    };
    server.on('request', (request, response) => void this.answer(request, response));
  }

  static async start(): Promise<StripeServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new StripeServer(server);
  }

  async close(): Promise<void> {
    this.hold?.resolve();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** The newest session of an order. */
  sessionOf(orderId: number): Session {
    const session = [...this.sessions.values()].findLast(({ metadata }) => metadata['order_id'] === String(orderId));
    if (!session) throw new Error(`Order ${orderId} has no session`);
    return session;
  }

  /** The customer pays on the page of the session. */
  pay(session: Session): Session {
    const paid = { status: 'complete', payment_status: 'paid', payment_intent: `pi_${session.id}` } as const;
    return Object.assign(session, paid, { url: null });
  }

  /** The customer chose a way by which the money comes later. */
  promise(session: Session): Session {
    return Object.assign(session, { status: 'complete', payment_intent: `pi_${session.id}`, url: null } as const);
  }

  /** An event about a session, as Stripe signs it. */
  event(type: string, session: Session, { atMs = Date.now(), key = secret } = {}): SignedEvent {
    const body = JSON.stringify({
      id: `evt_${++this.count}`,
      object: 'event',
      type,
      created: Math.floor(atMs / 1_000),
      livemode: false,
      data: { object: session },
    });
    const timestamp = Math.floor(atMs / 1_000);
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: key, timestamp });
    return { body, headers: { 'stripe-signature': signature, 'content-type': 'application/json; charset=utf-8' } };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const text = await textOf(request);
    this.requests.push(`${method} ${url}`);
    if (this.mood === 'silent') return;
    if (this.mood === 'away') return void request.socket.destroy();
    const { status, body } = this.replyTo(method, url, text, String(request.headers['idempotency-key'] ?? ''));
    await this.hold?.promise;
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': `req_${++this.count}` });
    response.end(JSON.stringify(body));
  }

  private replyTo(method: string, url: string, params: string, key: string): Reply {
    if (method === 'GET') return this.mood === 'well' ? this.read(new URL(url, 'http://stripe')) : fault;
    const known = this.saved.get(key);
    if (key !== '' && known) return known.params === params ? known : sameKey;
    const reply = this.mood === 'broken' ? fault : this.write(url, new URLSearchParams(params));
    const told = this.mood === 'broken-after' ? fault : reply;
    if (key !== '') this.saved.set(key, { ...told, params });
    return told;
  }

  private read({ pathname, searchParams }: URL): Reply {
    if (pathname === '/v1/refunds') {
      const data = this.refunds.filter(({ payment_intent }) => payment_intent === searchParams.get('payment_intent'));
      return { status: 200, body: { object: 'list', url: '/v1/refunds', has_more: false, data } };
    }
    const id = pathname.replace('/v1/checkout/sessions/', '');
    const session = this.sessions.get(id);
    return session
      ? { status: 200, body: session }
      : refusal(`No such checkout.session: ${id}`, 'resource_missing', 404);
  }

  private write(path: string, params: URLSearchParams): Reply {
    if (path === '/v1/refunds') return this.refund(params);
    if (path === '/v1/checkout/sessions') return this.create(params);
    const session = this.sessions.get(/^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(path)?.[1] ?? '');
    if (session?.status !== 'open') return refusal('Only Checkout Sessions with a status in ["open"] can be expired.');
    return { status: 200, body: Object.assign(session, { status: 'expired', url: null } as const) };
  }

  private create(params: URLSearchParams): Reply {
    const amount = Number(params.get('line_items[0][price_data][unit_amount]'));
    if (amount < 50) return refusal("The Checkout Session's total amount must convert to at least 50 cents.");
    const id = `cs_test_${++this.count}${Date.now()}`;
    const created = Math.floor(Date.now() / 1_000);
    const session: Session = {
      id,
      object: 'checkout.session',
      url: `https://checkout.stripe.com/c/pay/${id}`,
      client_reference_id: params.get('client_reference_id'),
      metadata: metadataOf(params),
      mode: params.get('mode') ?? '',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: amount,
      currency: params.get('line_items[0][price_data][currency]') ?? '',
      created,
      expires_at: created + day,
      success_url: params.get('success_url') ?? '',
    };
    this.sessions.set(id, session);
    return { status: 200, body: { ...session } };
  }

  private refund(params: URLSearchParams): Reply {
    const intent = params.get('payment_intent') ?? '';
    const session = [...this.sessions.values()].find(({ payment_intent }) => payment_intent === intent);
    if (!session) return refusal(`No such payment_intent: '${intent}'`, 'resource_missing', 404);
    const amount = Number(params.get('amount'));
    const before = this.refunds.filter(({ payment_intent }) => payment_intent === intent);
    const left = before.reduce((rest, one) => rest - one.amount, session.amount_total);
    if (left === 0) return refusal('Charge has already been refunded.', 'charge_already_refunded');
    if (amount > left)
      return refusal(`Refund amount ($${amount}) is greater than unrefunded amount on charge ($${left})`);
    const refund: Refund = {
      id: `re_${++this.count}`,
      object: 'refund',
      amount,
      currency: session.currency,
      payment_intent: intent,
      metadata: metadataOf(params),
      status: 'succeeded',
    };
    this.refunds.push(refund);
    return { status: 200, body: refund };
  }
}

const sameKey: Reply = {
  status: 400,
  body: {
    error: {
      type: 'idempotency_error',
      message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
    },
  },
};
