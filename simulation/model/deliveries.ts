import { createHmac } from 'node:crypto';
import { isLost, type DeliveryEntry, type HistoryEntry } from '../history.js';
import { isDone, match, type Call } from './calls.js';
import { type Facts, type Tell } from './facts.js';
import { fieldsOf, headerOf, listOf, textOf, type Fields } from './values.js';

const storeEventTypes = /^(order|payment|product|stock|review|customer)\.[a-z]+$/;
/** A receiver takes a signature that is at most five minutes old (Standard Webhooks). */
const signedWithinMs = 5 * 60_000;
/** The attempts that a delivery gets before it is given up, by the waits of the documents. */
const attempts = 8;

/** A receiver that has failed for so long is disabled (docs/store-events.md). */
const failingMs = 5 * 86_400_000;
/** What was taken, and whose answer was lost, failed for the service alone: a failing may have begun before what is seen of it. */
const unseenMs = 86_400_000;
/** What is taken beside the attempt after which a webhook is disabled does not enable it. */
const besideMs = 3_600_000;

/** The webhooks of the shop at the end, none where it does not show them. */
export async function readWebhooks({ end }: Facts): Promise<Fields[]> {
  const answer = await end.read('GET', '/api/v1/admin/webhooks', 'admin');
  return answer.status === 200 ? listOf(answer.body) : [];
}

/** Webhooks: each matching event arrives, signed, always with the same bytes, and nothing of what was rolled back. */
export function judgeDeliveries(
  facts: Facts,
  events: readonly Fields[] | undefined,
  atEnd: readonly Fields[],
  tell: Tell,
): void {
  const deliveries = facts.history.filter((entry) => entry.kind === 'delivery');
  const secrets = secretsOf(facts);
  const verified = new Map(deliveries.map((delivery) => [delivery, secretsThatSign(delivery, secrets)]));
  for (const delivery of deliveries) judgeSignature(delivery, verified.get(delivery)!, secrets, tell);
  judgeRepeats(facts, deliveries, tell);
  judgeGivenUp(facts, deliveries, tell);
  if (!events) return;
  judgeRolledBack(facts, deliveries, events, tell);
  for (const webhook of webhooksOf(facts)) {
    const own = deliveries.filter((delivery) => verified.get(delivery)!.some((secret) => webhook.secrets.has(secret)));
    const { disabled_reason: reason } = atEnd.find(({ id }) => id === webhook.made.answer.id) ?? {};
    if (textOf(reason) === undefined) judgeArrived(facts, webhook, own, events, tell);
    else judgeDisabled(facts, webhook, own, tell);
  }
}

/** Every secret that a request or an answer had in clear, with the entry that had it first. */
function secretsOf(facts: Facts): Map<string, number> {
  const secrets = new Map<string, number>();
  for (const { n, entry, raw } of facts.calls) {
    const text = `${JSON.stringify(entry.body) ?? ''} ${JSON.stringify(raw) ?? ''}`;
    for (const [secret] of text.matchAll(/whsec_[A-Za-z0-9+/]{32,}=*/g))
      if (!secrets.has(secret)) secrets.set(secret, n);
  }
  return secrets;
}

/** The signature of Standard Webhooks, version 1. */
export function signatureOf(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

function secretsThatSign({ headers, body }: DeliveryEntry, secrets: ReadonlyMap<string, number>): string[] {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = (headerOf(headers, 'webhook-signature') ?? '').split(' ');
  if (id === undefined || timestamp === undefined) return [];
  return [...secrets.keys()].filter((secret) => signatures.includes(signatureOf(secret, id, timestamp, body)));
}

function judgeSignature(
  delivery: DeliveryEntry,
  signedBy: string[],
  secrets: ReadonlyMap<string, number>,
  tell: Tell,
): void {
  const { n, headers, at } = delivery;
  if (headerOf(headers, 'webhook-id') === undefined) return;
  if (signedBy.length === 0 && secrets.size > 0) {
    tell('deliveries/signature', n, 'A signature by a secret of the history was expected, and none of them made it');
  }
  const signedAt = Number(headerOf(headers, 'webhook-timestamp')) * 1000;
  if (!(Math.abs(Date.parse(at) - signedAt) <= signedWithinMs)) {
    tell(
      'deliveries/timestamp',
      n,
      `A signature of about ${at} was expected, and it says ${headerOf(headers, 'webhook-timestamp') ?? 'nothing'}`,
    );
  }
}

function wasTaken({ answer }: DeliveryEntry): boolean {
  return !isLost(answer) && answer.status >= 200 && answer.status < 300;
}

/** One id has one body; what was taken comes again only after a fault or by a replay. */
function judgeRepeats(facts: Facts, deliveries: readonly DeliveryEntry[], tell: Tell): void {
  const replays = facts.calls.filter(
    ({ method, path }) => method === 'POST' && /\/deliveries\/(.+\/)?replay$/.test(path),
  );
  const known = new Map<string, DeliveryEntry>();
  for (const delivery of deliveries) {
    const id = headerOf(delivery.headers, 'webhook-id');
    if (id === undefined) continue;
    const key = `${delivery.receiver} ${id}`;
    const earlier = known.get(key);
    if (earlier && earlier.body !== delivery.body) {
      tell(
        'deliveries/same-bytes',
        delivery.n,
        `Delivery ${id} should have the bytes of entry ${earlier.n}, and has others`,
      );
    }
    if (earlier && wasTaken(earlier)) {
      const replayed = replays.some(({ n, from }) => n > earlier.n && from < delivery.n);
      if (!replayed && !facts.faultBetween(earlier.n - 20, delivery.n)) {
        tell(
          'deliveries/once',
          delivery.n,
          `Delivery ${id} was taken in entry ${earlier.n}: without a fault or a replay it should not come again`,
        );
      }
    }
    if (!earlier || !wasTaken(earlier)) known.set(key, delivery);
  }
}

/** What is never taken is given up after its last attempt; an attempt that a fault cut off does not count. */
function judgeGivenUp(facts: Facts, deliveries: readonly DeliveryEntry[], tell: Tell): void {
  if (facts.calls.some(({ method, path }) => method === 'POST' && path.endsWith('/replay'))) return;
  const tries = new Map<string, DeliveryEntry[]>();
  for (const delivery of deliveries) {
    const id = headerOf(delivery.headers, 'webhook-id');
    if (id === undefined || wasTaken(delivery)) continue;
    const key = `${delivery.receiver} ${id}`;
    tries.set(key, [...(tries.get(key) ?? []), delivery]);
  }
  for (const [key, failed] of tries) {
    const [first, last] = [failed[0]!, failed.at(-1)!];
    const faults = facts.history.filter(({ kind, n }) => kind === 'fault' && n >= first.n && n <= last.n).length;
    if (failed.length > attempts + faults)
      tell(
        'deliveries/given-up',
        last.n,
        `Delivery ${key} was to be given up after ${attempts} attempts, and had ${failed.length}`,
      );
  }
}

function storeEventIn({ body }: DeliveryEntry): Fields | undefined {
  try {
    const event = fieldsOf(JSON.parse(body));
    return storeEventTypes.test(String(event.type)) && textOf(event.id) !== undefined ? event : undefined;
  } catch {
    return undefined;
  }
}

function judgeRolledBack(
  facts: Facts,
  deliveries: readonly DeliveryEntry[],
  events: readonly Fields[],
  tell: Tell,
): void {
  const kept = new Map(events.map((event) => [event.id, event]));
  const oldest = Math.min(...events.map(({ created_at }) => Date.parse(String(created_at))));
  const tests = facts.calls.filter((call) => match(call, 'POST', '/admin/webhooks/*/test')).length;
  const unknown = new Map<string, DeliveryEntry>();
  for (const delivery of deliveries) {
    const event = storeEventIn(delivery);
    if (!event) continue;
    const id = String(event.id);
    if (headerOf(delivery.headers, 'webhook-id') !== id && event.test !== true && tests === 0) {
      tell(
        'deliveries/id',
        delivery.n,
        `The webhook-id of event ${id} should be its id, and is ${headerOf(delivery.headers, 'webhook-id') ?? 'missing'}`,
      );
    }
    const committed = kept.get(event.id);
    if (!committed && !(Date.parse(String(event.created_at)) < oldest)) unknown.set(id, delivery);
    if (committed && committed.type !== event.type) {
      tell(
        'deliveries/content',
        delivery.n,
        `Event ${id} is ${String(committed.type)}, and was sent as ${String(event.type)}`,
      );
    }
  }
  // A test sends a sample, which is no event of the shop.
  if (unknown.size <= tests) return;
  for (const [id, { n }] of unknown) {
    tell('deliveries/rolled-back', n, `Event ${id} was sent, and is not among the events of the shop`);
  }
}

interface Webhook {
  made: Call;
  events: readonly unknown[];
  secrets: Set<string>;
  /** Whether it may have been off, or another one, at some time. */
  changed: boolean;
}

function webhooksOf(facts: Facts): Webhook[] {
  const byId = new Map<string, Webhook>();
  for (const call of facts.calls) {
    const secret = textOf(call.answer.secret);
    if (match(call, 'POST', '/admin/webhooks') && isDone(call) && secret?.startsWith('whsec_')) {
      byId.set(String(call.answer.id), {
        made: call,
        events: Array.isArray(call.answer.events) ? call.answer.events : [],
        secrets: new Set([secret]),
        changed: call.answer.enabled === false,
      });
    }
    for (const { id, enabled } of [call.answer, ...listOf(call.raw)]) {
      const webhook = byId.get(String(id));
      if (webhook && enabled === false) webhook.changed = true;
    }
    const [id] = match(call, 'PATCH', '/admin/webhooks/*') ?? match(call, 'DELETE', '/admin/webhooks/*') ?? [];
    const webhook = byId.get(id ?? '');
    if (webhook) webhook.changed = true;
    const [rotated] = match(call, 'POST', '/admin/webhooks/*/rotate-secret') ?? [];
    if (rotated !== undefined && secret) byId.get(rotated)?.secrets.add(secret);
  }
  return [...byId.values()];
}

/** The attempts of a webhook that failed before anything was sent; those of one event alone, if there is one. */
function unsentTo({ history }: Facts, { made }: Webhook, event = ''): HistoryEntry[] {
  const receiver = new URL(String(made.body.url)).pathname.slice(1);
  const said = `${event} to ${receiver}) failed before`;
  return history.filter((entry) => entry.kind === 'fault' && entry.what.includes(said));
}

/** What the service disables was told that the receiver is gone, or has failed for five days. */
function judgeDisabled(facts: Facts, webhook: Webhook, own: readonly DeliveryEntry[], tell: Tell): void {
  const { made, changed } = webhook;
  if (changed) return;
  const tries = [...own, ...unsentTo(facts, webhook)].sort((one, other) => one.n - other.n);
  const end = Date.parse(tries.at(-1)?.at ?? made.entry.at) - besideMs;
  const taken = own.findLast((delivery) => wasTaken(delivery) && Date.parse(delivery.at) < end)?.n ?? made.n;
  const failed = tries.filter((entry) => entry.n > taken && !(entry.kind === 'delivery' && wasTaken(entry)));
  if (own.some(({ n, answer }) => n > taken && !isLost(answer) && answer.status === 410)) return;
  const [first, last] = [failed[0], failed.at(-1)];
  const lasted = first && last ? Date.parse(last.at) - Date.parse(first.at) : 0;
  if (lasted >= failingMs - unseenMs) return;
  tell(
    'deliveries/disabled',
    last?.n ?? made.n,
    `The webhook of entry ${made.n} was disabled after it had failed for ${Math.round(lasted / 3_600_000)} hours, instead of five days`,
  );
}

function judgeArrived(
  facts: Facts,
  webhook: Webhook,
  own: readonly DeliveryEntry[],
  events: readonly Fields[],
  tell: Tell,
): void {
  if (webhook.changed) return;
  for (const event of events) {
    const created = Date.parse(String(event.created_at));
    if (!webhook.events.includes(event.type) || created <= webhook.made.endedAt) continue;
    const tries = own.filter(({ headers }) => headerOf(headers, 'webhook-id') === event.id);
    const unsent = unsentTo(facts, webhook, String(event.id));
    if (tries.some(wasTaken) || tries.length + unsent.length >= attempts) continue;
    // A receiver that is gone ends its webhook: it is told by the webhook, which then was off.
    if (tries.some(({ answer }) => !isLost(answer) && answer.status === 410)) continue;
    tell(
      'deliveries/arrives',
      tries.at(-1)?.n ?? webhook.made.n,
      `Event ${String(event.id)} (${String(event.type)}) should have reached the webhook of entry ${webhook.made.n}; it was tried ${tries.length} times and never taken`,
    );
  }
}
