import { type MailEntry } from '../history.js';
import { isDone, match, type Call } from './calls.js';
import { turnsOf, type Account, type Facts, type SeenOrder, type Tell } from './facts.js';
import { fieldsOf, listOf, textOf } from './values.js';

/** Mails: to whom they belong, once, and none is missing. */
export async function judgeMails(facts: Facts, tell: Tell): Promise<void> {
  const mails = facts.history.filter((entry) => entry.kind === 'mail');
  judgeOnce(facts, mails, tell);
  judgeOrders(facts, mails, tell);
  judgeAccounts(facts, mails, tell);
  await judgeDigests(facts, mails, tell);
}

const dayMs = 86_400_000;
/** How long a link can confirm an address (docs/mails.md). */
const linkMs = 7 * dayMs;
/** On fewer days than these, each try of a mail may have failed. */
const fewDays = 4;
/** An hourly digest leaves at the full hour; a fault may put its job and its mail off for as long as they are tried again. */
const digestMs = 3_600_000 + 4 * dayMs;

/** Whatever is new in an organization is told in the digests that its workflows ask for. */
async function judgeDigests(facts: Facts, mails: readonly MailEntry[], tell: Tell): Promise<void> {
  const gathering = facts.calls.filter((call) => match(call, 'POST', '/workflows') && isDone(call));
  for (const workflow of gathering) {
    const { trigger, conditions, actions } = workflow.body;
    if (fieldsOf(trigger).type !== 'NEW_ISSUE' || conditions !== undefined) continue;
    for (const { integrationKind, digest, parameters } of listOf(actions)) {
      const { memberIds } = fieldsOf(parameters);
      if (integrationKind !== 'EMAIL' || digest !== 'hourly' || !Array.isArray(memberIds)) continue;
      const members = facts.accounts.filter(({ userId }) => userId !== undefined && memberIds.includes(userId));
      await judgeDigest(facts, workflow, members, mails, tell);
    }
  }
}

async function judgeDigest(
  facts: Facts,
  workflow: Call,
  members: readonly Account[],
  mails: readonly MailEntry[],
  tell: Tell,
): Promise<void> {
  for (const call of facts.calls) {
    const { createdIds } = call.answer;
    const isDefault = call.query.get('branch') === call.query.get('defaultBranch');
    const isOwed = match(call, 'POST', '/scans/import') && isDone(call) && isDefault && call.from > workflow.n;
    if (!isOwed || !Array.isArray(createdIds) || facts.endedAt < call.endedAt + digestMs) continue;
    for (const id of createdIds.map(String)) {
      const { body } = await facts.end.read('GET', `/api/v1/issues/${id}`, call.entry.client);
      const name = textOf(fieldsOf(body).name);
      if (name === undefined) continue;
      for (const { email } of members) {
        const told = mails.filter((mail) => mail.n > call.from && same(mail.to, email) && holds(mail, name));
        if (told.length === 0)
          tell('mails/digest', call.n, `Issue ${id} ("${name}") is new: expected it in a digest to ${email}`);
      }
    }
  }
}

function same(a: string, b: string | undefined): boolean {
  return b !== undefined && a.trim().toLowerCase() === b.trim().toLowerCase();
}

/**
 * A mail with one id is one mail, which comes again only after a fault; two mails with the same words to one address
 * are one too many, unless somebody asked for it again.
 */
function judgeOnce(facts: Facts, mails: readonly MailEntry[], tell: Tell): void {
  const byId = new Map<string, MailEntry>();
  const byWords = new Map<string, MailEntry>();
  const asked = facts.calls.filter(
    ({ method, path }) => method === 'POST' && /\/mails\/[a-z]+$|\/email\/resend$|\/password\/forgot$/.test(path),
  );
  for (const mail of mails) {
    const words = JSON.stringify([mail.to.toLowerCase(), mail.subject, mail.text]);
    const tried = byId.get(mail.id);
    const alike = byWords.get(words);
    if (tried && tried.text !== mail.text) {
      tell(
        'mails/same-words',
        mail.n,
        `Mail ${mail.id} should say what it said in entry ${tried.n}, and says something else`,
      );
    }
    if (tried && !facts.faultBetween(tried.n - 20, mail.n)) {
      tell(
        'mails/once',
        mail.n,
        `Mail ${mail.id} ("${mail.subject}") went to ${mail.to} in entry ${tried.n}, and goes again without a fault in between`,
      );
    } else if (
      !tried &&
      alike &&
      isAboutOneThing(mail) &&
      ![...asked, ...triesOf(facts, mail)].some(({ n, from }) => n > alike.n && from < mail.n)
    ) {
      tell(
        'mails/once',
        mail.n,
        `"${mail.subject}" went to ${mail.to} in entry ${alike.n}, and a second mail says the same`,
      );
    }
    byId.set(mail.id, mail);
    byWords.set(words, mail);
  }
}

/** Of a mail about a payment, the requests that may each have had a payment fail. */
function triesOf(facts: Facts, { subject }: MailEntry): Call[] {
  const id = /\bpayment\b.*\border (\d+)/.exec(subject)?.[1];
  return facts.calls.filter((call) => id !== undefined && match(call, 'POST', `/orders/${id}/payment`));
}

/** Mails with a link of their own, or about one order, never say the same twice. */
function isAboutOneThing({ subject, text }: MailEntry): boolean {
  return /[?&]token=/.test(text) || /\border\b.*\d|#\d/i.test(subject);
}

/** The orders that a mail names, by their numbers. */
function names(mail: MailEntry, id: number): boolean {
  return new RegExp(`\\border\\b.*(?<![\\d.,])${id}(?![\\d.,]*\\d)`, 'i').test(mail.subject);
}

function judgeOrders(facts: Facts, mails: readonly MailEntry[], tell: Tell): void {
  const deleted = new Set(
    facts.calls.flatMap((call) => {
      const own = match(call, 'DELETE', '/users/me/profile') && facts.accountOf(call)?.userId;
      return match(call, 'DELETE', '/admin/users/*') ?? (own ? [own] : []);
    }),
  );
  const madeByTests = facts.calls.some(({ path }) => path === '/test/orders');
  for (const order of facts.orders.values()) {
    const { placedBy } = order;
    const account = facts.accounts.find(
      ({ userId }) => userId !== undefined && userId === order.sightings[0]?.fields.user_id,
    );
    if (!placedBy || !account?.email || madeByTests || deleted.has(String(account.userId))) continue;
    const own = mails.filter((mail) => names(mail, order.id));
    for (const mail of own) {
      if (!same(mail.to, account.email) && !hasHadAddress(facts, account.userId, mail.to)) {
        tell(
          'mails/to-whom',
          mail.n,
          `A mail about order ${order.id} should go to ${account.email}, and went to ${mail.to}`,
        );
      }
    }
    const { items, total_price } = placedBy.answer;
    const hasLines = (mail: MailEntry) => listOf(items).every(({ name }) => holds(mail, String(name)));
    // The price of a piece may be as much: the total stands behind its name.
    const hasTotal = (mail: MailEntry) => holds(mail, `Total: $${Number(total_price).toFixed(2)}`);
    const withTotal = own.filter((mail) => hasLines(mail) && hasTotal(mail));
    // The documents give an unconfirmed address "fewer mails", without a number: its first orders are told in any case.
    const isOwed = isConfirmed(facts, mails, account.email) || isAmongFirst(facts, order);
    // An order that ends before its mail went out may bring none.
    const ended = order.sightings.some(({ fields }) => fields.status === 'cancelled' || fields.status === 'refunded');
    if (withTotal.length === 0 && isOwed && !ended) {
      tell(
        'mails/arrives',
        placedBy.n,
        `Order ${order.id} should have brought a mail with its lines and its total of ${Number(total_price).toFixed(2)}, and brought none`,
      );
    }
    const shipped = turnsOf(order).find(({ status }) => status === 'shipped');
    if (shipped && isOwed && !ended && !own.some((mail) => hasLines(mail) && !withTotal.includes(mail))) {
      tell('mails/arrives', shipped.entry, `Order ${order.id} was shipped, and no mail with its lines says so`);
    }
    const asked = facts.calls.some(
      ({ method, path }) => method === 'POST' && path === `/admin/orders/${order.id}/mails/placed`,
    );
    const count = new Set(withTotal.map(({ id }) => id)).size;
    if (count > 1 && !asked) {
      tell(
        'mails/once',
        withTotal.at(-1)!.n,
        `Order ${order.id} should have brought one mail that it was placed, and brought ${count}`,
      );
    }
  }
}

/** Whether the text of a mail has these words, wherever its lines break and however its numbers are grouped. */
function holds({ text }: MailEntry, words: string): boolean {
  const plain = (some: string) => some.replaceAll(/[\s,]/g, '');
  return plain(text).includes(plain(words));
}

/** Whether somebody followed the link of a mail that confirms the address. */
function isConfirmed(facts: Facts, mails: readonly MailEntry[], address: string): boolean {
  return facts.calls.some(
    (call) =>
      match(call, 'POST', '/auth/email/confirm') &&
      isDone(call) &&
      mails.some((mail) => same(mail.to, address) && mail.text.includes(String(call.body.token))),
  );
}

/** How many orders of an account are told whatever its address. */
const firstOrders = 2;

function isAmongFirst(facts: Facts, order: SeenOrder): boolean {
  const ofAccount = [...facts.orders.values()].filter(
    ({ sightings }) => sightings[0]?.fields.user_id === order.sightings[0]?.fields.user_id,
  );
  return ofAccount.filter(({ id }) => id < order.id).length < firstOrders;
}

/** Whether the account was changed to another address: mails may then go to either. */
function hasHadAddress(facts: Facts, userId: string | undefined, address: string): boolean {
  return facts.calls.some(
    (call) =>
      match(call, 'PUT', '/users/me/profile') &&
      facts.accountOf(call)?.userId === userId &&
      same(address, typeof call.body.email === 'string' ? call.body.email : undefined),
  );
}

/**
 * Whether something happened on so few days of those for which a link was good that it may have failed on each of them: a mail
 * whose link has ended is not sent any more. Faults came later, too: in the quiet days at the end nothing fails.
 */
function stoodStill({ history }: Facts, begun: number): boolean {
  const end = begun + linkMs;
  const times = history.map(({ at }) => Date.parse(at)).filter((at) => at >= begun && at < end);
  const days = new Set(times.map((at) => Math.floor(at / dayMs)));
  return days.size < fewDays && history.some(({ kind, at }) => kind === 'fault' && Date.parse(at) >= end);
}

/** Each account is welcomed, once. */
function judgeAccounts(facts: Facts, mails: readonly MailEntry[], tell: Tell): void {
  for (const call of facts.calls) {
    if (!match(call, 'POST', '/auth/register') || !isDone(call)) continue;
    const address = String(call.body.email);
    const welcomes = mails.filter((mail) => same(mail.to, address) && /\/confirm\?token=/.test(mail.text));
    const asked = facts.calls.some(
      (one) => match(one, 'POST', '/auth/email/resend') && facts.accountOf(one)?.userId === call.answer.id,
    );
    const changed = facts.calls.some(
      (one) => match(one, 'PUT', '/users/me/profile') && same(address, String(one.body.email)),
    );
    const count = new Set(welcomes.map(({ id }) => id)).size;
    const again = facts.calls.filter(
      (one) => match(one, 'POST', '/auth/register') && isDone(one) && same(address, String(one.body.email)),
    ).length;
    if (count === 0 && !stoodStill(facts, Date.parse(call.entry.at)))
      tell('mails/arrives', call.n, `${address} registered, and should have got a link that confirms the address`);
    if (count > again && !asked && !changed) {
      tell(
        'mails/once',
        welcomes.at(-1)!.n,
        `${address} should have got one link that confirms the address, and got ${count}`,
      );
    }
  }
}
