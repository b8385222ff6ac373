import { isDone, isRefused, match, repeats, type Call } from './calls.js';
import { readCursor, type Facts, type Tell } from './facts.js';
import { fieldsOf, headerOf, listOf, sameJson, textOf, type Fields } from './values.js';

/** What is recorded of a request that made its change: the method, the path, and the actions of which one is its entry. */
const recorded: readonly [string, string, readonly string[]][] = [
  ['POST', '/products', ['product.created']],
  ['POST', '/admin/products', ['product.created']],
  ['DELETE', '/admin/products/*', ['product.deleted']],
  ['POST', '/admin/categories', ['category.created']],
  ['DELETE', '/admin/categories/*', ['category.deleted']],
  ['POST', '/admin/coupons', ['coupon.created']],
  ['DELETE', '/admin/coupons/*', ['coupon.deleted']],
  ['POST', '/admin/orders/*/payments', ['order.payment_recorded']],
  ['POST', '/admin/orders/*/refunds', ['order.refund_requested', 'order.refunded', 'order.refund_failed']],
  ['POST', '/admin/orders/*/notes', ['order.note_added']],
  ['POST', '/admin/orders/*/mails/*', ['order.mail_sent']],
  ['DELETE', '/admin/users/*', ['user.deleted']],
  ['DELETE', '/users/me/profile', ['user.deleted']],
  ['POST', '/admin/webhooks', ['webhook.created']],
  ['DELETE', '/admin/webhooks/*', ['webhook.deleted']],
  ['POST', '/admin/webhooks/*/rotate-secret', ['webhook.secret_rotated']],
  ['POST', '/admin/keys', ['api_key.created']],
  ['POST', '/auth/password', ['user.password_changed']],
];

const recordedOfOrganizations: typeof recorded = [
  ['POST', '/workflows', ['workflow.created']],
  ['DELETE', '/workflows/*', ['workflow.deleted']],
  ['POST', '/workflows/*/run', ['workflow.run_requested']],
  ['POST', '/integrations', ['integration.created']],
  ['DELETE', '/integrations/*', ['integration.deleted']],
  ['POST', '/organizations/*/api-keys', ['api_key.created']],
  ['POST', '/issues/bulk', ['organization.issues_changed']],
  ['POST', '/views', ['view.created']],
];

/** Written although the request was refused: they are about the refusal, or about what a provider refused. */
const ofRefusals =
  /^user\.(login_failed|login_code_failed|login_refused|password_failed|code_failed|attempts_blocked|refresh_token_reused|session_ended|sessions_ended)$|^order\.(payment_failed|refund_requested|refund_failed)$/;

/** The audit log: an entry for each change, with it, and none for what was not changed. */
export async function judgeAudit(facts: Facts, tell: Tell): Promise<void> {
  const entries = await readCursor(facts.end, '/api/v1/admin/audit');
  if (entries) {
    judgeLog(facts, entries, recorded, tell);
    judgeLasting(facts, entries, '/admin/audit', tell);
  }
  for (const call of facts.calls) {
    const id = textOf(call.answer.id);
    if (!match(call, 'POST', '/organizations') || !isDone(call) || id === undefined) continue;
    const path = `/api/v1/organizations/${id}/audit`;
    const own = await readCursor(facts.end, path, { as: call.entry.client, next: 'nextCursor' });
    if (!own) continue;
    const isOwn = (other: Call) => other.path.includes(id) || headerOf(other.entry.headers, 'x-organization-id') === id;
    judgeLog({ ...facts, calls: facts.calls.filter(isOwn) }, own, recordedOfOrganizations, tell);
    judgeLasting(facts, own, `/organizations/${id}/audit`, tell);
  }
}

function requestOf({ request_id, requestId }: Fields): string | undefined {
  return textOf(request_id) ?? textOf(requestId);
}

function judgeLog(facts: Facts, entries: readonly Fields[], rules: typeof recorded, tell: Tell): void {
  const byRequest = new Map<string, Fields[]>();
  for (const entry of entries) {
    const request = requestOf(entry);
    if (request !== undefined) byRequest.set(request, [...(byRequest.get(request) ?? []), entry]);
  }
  for (const call of facts.calls) {
    if (call.status === undefined) continue;
    const request = 'headers' in call.entry.answer ? headerOf(call.entry.answer.headers, 'x-request-id') : undefined;
    if (request === undefined) continue;
    const own = byRequest.get(request) ?? [];
    if (isRefused(call)) {
      for (const { action } of own) {
        if (!ofRefusals.test(String(action))) {
          tell(
            'audit/nothing-else',
            call.n,
            `The request was refused with ${call.status}, and the audit log says ${String(action)}`,
          );
        }
      }
    }
    judgeOnce(call, own, tell);
    const rule = rules.find(([method, path]) => match(call, method, path));
    if (!rule || !isDone(call) || isRepeated(facts, call) || call.body.dryRun === true || call.answer.changed === 0)
      continue;
    const actions = own.map(({ action }) => String(action));
    if (!actions.some((action) => rule[2].includes(action))) {
      tell(
        'audit/complete',
        call.n,
        `The audit log should have ${rule[2].join(' or ')} of request ${request}, and has ${actions.join(', ') || 'nothing'}`,
      );
    }
  }
}

/** Whether an earlier request with its key may have made the change. */
function isRepeated(facts: Facts, call: Call): boolean {
  return facts.calls.some((earlier) => earlier.n < call.n && repeats(call, earlier) && !isRefused(earlier));
}

function judgeOnce(call: Call, own: readonly Fields[], tell: Tell): void {
  const seen = new Set<string>();
  for (const { action, subject, changes } of own) {
    const key = JSON.stringify([action, fieldsOf(subject).id, changes]);
    if (seen.has(key)) tell('audit/once', call.n, `The audit log has ${String(action)} of this request twice`);
    seen.add(key);
  }
}

/** Entries are final: what was read of one stays, but for names, which go with their account. */
function judgeLasting(facts: Facts, entries: readonly Fields[], path: string, tell: Tell): void {
  const atEnd = new Map(entries.map((entry) => [entry.id, entry]));
  for (const call of facts.calls) {
    if (!match(call, 'GET', path) || !isDone(call)) continue;
    for (const entry of listOf(call.answer.data)) {
      const later = atEnd.get(entry.id);
      if (!later)
        tell(
          'audit/final',
          call.n,
          `Entry ${String(entry.id)} (${String(entry.action)}) was read, and is not in the audit log at the end`,
        );
      else if (!sameJson(withoutNames(entry), withoutNames(later))) {
        tell(
          'audit/final',
          call.n,
          `Entry ${String(entry.id)} should stay ${JSON.stringify(entry)}, and is ${JSON.stringify(later)}`,
        );
      }
    }
  }
}

function withoutNames({ actor, subject, ...rest }: Fields): Fields {
  const { name: actorName, ...ofActor } = fieldsOf(actor);
  const { name: subjectName, ...ofSubject } = fieldsOf(subject);
  void [actorName, subjectName];
  return { ...rest, actor: ofActor, subject: ofSubject };
}
