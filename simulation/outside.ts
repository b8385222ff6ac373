import { OutsideCalls, type OutsideKind } from '../src/platform/net/outside-calls.js';
import type { OutboundRequest, OutboundResponse } from '../src/platform/net/outbound-http.js';
import type { RefundRequest } from '../src/store/payments/payment-gateway.js';
import { TargetUnreachable } from '../src/platform/net/target-errors.js';
import type { Message } from '../src/platform/mail/mail.js';
import type { History } from './history.js';
import type { Random } from './random.js';
import type { Receivers } from './receivers.js';
import { whereabouts } from './whereabouts.js';

/** How likely a call of a kind fails, before it took effect or after. */
const failing: Record<OutsideKind, number> = { payment: 0.05, mail: 0.08, webhook: 0.05, storage: 0.05 };
/** What only asks whether the callee is there. */
const questions = new Set<string | symbol>(['check', 'responds']);

type Call = (...values: unknown[]) => Promise<unknown>;

function failureOf(kind: OutsideKind): Error {
  const message = `A fault of the simulation: the call of kind ${kind} failed`;
  if (kind === 'webhook') return new TargetUnreachable('connect', message);
  return kind === 'storage' ? Object.assign(new Error(message), { code: 'EIO', errno: -5 }) : new Error(message);
}

/** What the history says about whom a webhook was for. */
function calleeOf(kind: OutsideKind, [first]: unknown[]): string {
  if (kind !== 'webhook') return '';
  const { url, headers = [] } = first as OutboundRequest;
  const id = headers.find(([name]) => name.toLowerCase() === 'webhook-id')?.[1] ?? 'without an id';
  return ` (${id} to ${receiverOf(url)})`;
}

function receiverOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

async function bytesOf(body: OutboundRequest['body']): Promise<string> {
  if (body === undefined) return '';
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  const pieces: Buffer[] = [];
  for await (const piece of body.open() as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** The world outside of the service: it takes mails and webhooks down, and fails as the seed says. */
export class SimulatedOutside extends OutsideCalls {
  /** Whether calls fail. */
  hasFaults = false;

  constructor(
    private readonly history: History,
    private readonly random: Random,
    private readonly receivers: Receivers,
  ) {
    super();
  }

  around<T extends object>(kind: OutsideKind, callee: T): T {
    const get = (_: T, name: string | symbol): unknown => {
      const member: unknown = Reflect.get(callee, name);
      if (typeof member !== 'function') return member;
      if (questions.has(name)) return () => Promise.resolve();
      const call: Call = (...values) =>
        this.called(kind, values, async () => {
          if (name === 'refund') this.payBack(values[0] as RefundRequest);
          return (await Reflect.apply(member, callee, values)) as unknown;
        });
      return call;
    };
    return new Proxy(callee, { get });
  }

  private async called(kind: OutsideKind, values: unknown[], really: () => Promise<unknown>): Promise<unknown> {
    if (whereabouts.getStore()?.life.hasEnded) throw failureOf(kind);
    const fails = this.hasFaults && this.random.chance(failing[kind]);
    const afterwards = this.random.chance(0.5);
    if (fails)
      this.history.add({
        kind: 'fault',
        what: `a call of kind ${kind}${calleeOf(kind, values)} failed ${afterwards ? 'after' : 'before'} it took effect`,
      });
    if (fails && !afterwards) throw failureOf(kind);
    const result = await this.effect(kind, values, really);
    if (fails) throw failureOf(kind);
    return result;
  }

  private effect(kind: OutsideKind, values: unknown[], really: () => Promise<unknown>): Promise<unknown> {
    if (kind === 'mail') return this.deliver(values[0] as Message);
    if (kind === 'webhook') return this.post(values[0] as OutboundRequest);
    return really();
  }

  private payBack({ refundId, orderId, amount }: RefundRequest): void {
    this.history.add({ kind: 'payback', id: refundId, order: orderId, amount });
  }

  private deliver({ id, to, subject, text }: Message): Promise<void> {
    this.history.add({ kind: 'mail', id, to: to.address, subject, text });
    return Promise.resolve();
  }

  private async post(request: OutboundRequest): Promise<OutboundResponse> {
    const { url, headers: sent = [] } = request;
    const headers = Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), value]));
    const receiver = receiverOf(url);
    const body = await bytesOf(request.body);
    const answer = this.receivers.receive({ receiver, headers, body });
    this.history.add({ kind: 'delivery', receiver, headers, body, answer });
    if ('lost' in answer) throw new TargetUnreachable('timeout', 'The receiver did not answer in time');
    const answered = answer.headers ?? {};
    request.onAnswer?.(answer.status, answered);
    return {
      url,
      status: answer.status,
      headers: answered,
      body: Buffer.from('ok'),
      truncated: false,
      contentType: 'text/plain',
      contentLength: 2,
    };
  }
}
