import { randomUUID } from 'node:crypto';
import { type Quote, type QuoteProblem, StoreApiError } from '@store-service/sdk';
import { fail, isHttpError, redirect, type RequestEvent as AnyEvent } from '@sveltejs/kit';
import { isSessionEnded, ofCustomer, refusalOf, textsIn } from '$lib/server/refusals.ts';
import { keepCount } from '$lib/server/guest-cart.ts';
import { signIn, signInWithCode } from '$lib/server/signing-in.ts';
import { textsOf } from '$lib/texts/index.ts';
import type { Actions, PageServerLoad } from './$types';

const addressNames = ['first_name', 'last_name', 'address', 'city', 'zip_code', 'country', 'phone'] as const;
const typedNames = [...addressNames, 'shipping_method', 'coupon_code', 'save', 'key', 'seen', 'seen_method'] as const;
type Typed = Record<(typeof typedNames)[number], string>;

const runningTries = 5;
const runningWaitMs = 1_000;

/** What the customer agrees to: the goods with their discount, and what each method costs. */
const seenOf = ({ subtotal, discount, shipping_methods, currency }: Quote): string => {
  const costs = shipping_methods.map(({ code, quoted_cost }) => `${code}=${quoted_cost}`);
  return [currency, (subtotal - discount).toFixed(2), ...costs].join('&');
};

/** What a method cost in what was seen; undefined if there was no such method. */
function seenCost(seen: string, method: string): number | undefined {
  const cost = seen.split('&').find((one) => one.startsWith(`${method}=`));
  return cost === undefined ? undefined : Number(cost.slice(method.length + 1));
}

const seenTotal = (seen: string, method: string): number =>
  Number(seen.split('&')[1] ?? 0) + (seenCost(seen, method) ?? 0);

async function quoteOf({ locals }: Pick<AnyEvent, 'locals'>, typed?: Typed): Promise<Quote> {
  const body = {
    coupon_code: typed?.coupon_code || null,
    ...(typed?.shipping_method ? { shipping: { shipping_method: typed.shipping_method } } : {}),
  };
  return (await locals.api.orders.quote({ body })).data;
}

/** A quote as the page shows it. */
function shown(quote: Quote, { locals }: Pick<AnyEvent, 'locals'>) {
  const problems = quote.problems
    .map((problem) => sentenceOf(problem, quote, locals.language))
    .filter((one) => one !== null);
  return { ...quote, problems, seen: seenOf(quote) };
}

/** What stands in the way of an order; the address is not asked of a quote, and a coupon has its own sentence. */
function sentenceOf({ code, detail, loc }: QuoteProblem, quote: Quote, language: 'en' | 'de'): string | null {
  const { checkout } = textsOf(language);
  if (loc !== null || code === 'coupon_unusable') return null;
  if (code === 'empty_cart') return checkout.emptied;
  if (code !== 'insufficient_stock') return detail;
  const short = quote.lines.filter(({ stock, quantity }) => stock < quantity).map(({ name }) => checkout.soldOut(name));
  return short.length > 0 ? short.join(' ') : detail;
}

export const load: PageServerLoad = async (event) => {
  const { locals, request } = event;
  // What was typed is shown again even if the session ended meanwhile.
  const isAnswer = request.method === 'POST';
  const nothing = { quote: null, addresses: [], key: randomUUID() };
  if (isAnswer && !locals.session.isOpen) return nothing;
  const shownNow = ofCustomer(event, async () => {
    const [quote, { data: addresses }] = await Promise.all([quoteOf(event), locals.api.addresses.list()]);
    if (quote.lines.length === 0 && !isAnswer) redirect(303, '/cart');
    return { quote: shown(quote, event), addresses, key: randomUUID() };
  });
  // Nor is it lost while the service is away: the answer to the form says so.
  return isAnswer
    ? shownNow.catch((problem: unknown) => (isHttpError(problem) ? nothing : Promise.reject(problem)))
    : shownNow;
};

const readTyped = (form: FormData): Typed => textsIn(form, typedNames);

/** The session has ended: asks for a login in place, and keeps what was typed. */
const askForLogin = (typed: Typed) => fail(401, { step: 'login' as const, typed });

/** Looks again at what an order would cost, with what was typed. A coupon that cannot be used is taken off. */
async function lookAgain(event: AnyEvent, typed: Typed) {
  const quote = await quoteOf(event, typed);
  const { checkout } = textsOf(event.locals.language);
  if (quote.coupon === null || quote.coupon.is_valid)
    return { typed, quote: shown(quote, event), notes: [] as string[] };
  const without = { ...typed, coupon_code: '' };
  const note = checkout.couponUnusable(typed.coupon_code);
  return { typed: without, quote: shown(await quoteOf(event, without), event), notes: [note] };
}

/** Why what was ordered is not what was seen, such as a method whose total was not shown; null where it is. */
function differenceOf(quote: Quote, typed: Typed, event: AnyEvent): string | null {
  if (seenOf(quote) === typed.seen && typed.seen_method === typed.shipping_method) return null;
  const { checkout } = textsOf(event.locals.language);
  const money = new Intl.NumberFormat(event.locals.language, { style: 'currency', currency: quote.currency });
  const before = seenTotal(typed.seen, typed.seen_method);
  return checkout.changed(money.format(before), money.format(seenTotal(seenOf(quote), typed.shipping_method)));
}

/** Orders once with the key of the form, and waits for an order with the same key that is on its way. */
async function order({ locals }: AnyEvent, typed: Typed): Promise<number> {
  const { key, coupon_code, shipping_method, first_name, last_name, address, city, zip_code, country, phone } = typed;
  const shipping = {
    first_name,
    last_name,
    address,
    city,
    zip_code,
    ...(country && { country }),
    ...(phone && { phone }),
    // Said with the method: a service that follows the specification alone takes 5.99 for any other.
    ...(shipping_method && { shipping_method, shipping_cost: seenCost(typed.seen, shipping_method) }),
  };
  const body = { shipping, coupon_code: coupon_code || null };
  for (let tries = 1; ; tries++) {
    try {
      return (await locals.api.orders.checkout({ body, headers: { 'Idempotency-Key': key } })).data.id;
    } catch (error) {
      const isRunning = error instanceof StoreApiError && error.code === 'request_running';
      if (!isRunning || tries >= runningTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, runningWaitMs));
    }
  }
}

const isKey = (key: string): boolean => /^[\w-]{8,100}$/.test(key);

/** Keeps the address of an order; the order stands even if that is refused. */
async function keepAddress(
  { locals }: AnyEvent,
  { first_name, last_name, address, city, zip_code, country, phone }: Typed,
) {
  const body = { first_name, last_name, address, city, zip_code, ...(country && { country }), phone: phone || null };
  await locals.api.addresses.create({ body }).catch((error: unknown) => {
    if (!(error instanceof StoreApiError)) throw error;
  });
}

async function answer(
  event: AnyEvent,
  typed: Typed,
  problem: string,
  faults: Record<string, string> = {},
  status = 409,
) {
  const looked = await lookAgain(event, typed);
  return fail(status, { ...looked, step: 'look' as const, notes: [problem, ...looked.notes], faults });
}

export const actions: Actions = {
  /** Shows what an order would cost with the method and the coupon that were chosen. */
  look: async (event) => {
    const typed = readTyped(await event.request.formData());
    try {
      return { step: 'look' as const, faults: {}, ...(await lookAgain(event, typed)) };
    } catch (error) {
      if (isSessionEnded(error) || !event.locals.session.isOpen) {
        event.locals.signOut();
        return askForLogin(typed);
      }
      const { problem, faults, status } = refusalOf(error, event);
      return fail(status, { typed, key: typed.key, quote: null, step: 'look' as const, faults, notes: [problem] });
    }
  },

  order: async (event) => {
    const { locals } = event;
    const typed = readTyped(await event.request.formData());
    const { checkout } = textsOf(locals.language);
    if (!locals.session.isOpen) return askForLogin(typed);
    if (!isKey(typed.key)) return answer(event, typed, textsOf(locals.language).errors.fault, {}, 400);
    let id: number;
    try {
      const quote = await quoteOf(event, typed);
      const isEmptied = quote.problems.some(({ code }) => code === 'empty_cart');
      if (!isEmptied) {
        if (quote.coupon && !quote.coupon.is_valid) {
          const looked = await lookAgain(event, { ...typed, coupon_code: '' });
          return fail(409, {
            ...looked,
            step: 'look' as const,
            faults: {},
            notes: [checkout.couponGone(typed.coupon_code)],
          });
        }
        const difference = differenceOf(quote, typed, event);
        if (difference !== null)
          return fail(409, {
            typed,
            quote: shown(quote, event),
            step: 'look' as const,
            faults: {},
            notes: [difference],
          });
      }
      // An empty cart may be that of the same order, sent twice: its key tells.
      id = await order(event, typed);
    } catch (error) {
      if (isSessionEnded(error)) {
        locals.signOut();
        return askForLogin(typed);
      }
      const { problem, faults, status, code } = refusalOf(error, event);
      // Whether it was ordered is not known: the same key asks, and orders at most once.
      if (status >= 500)
        return fail(status, { typed, key: typed.key, quote: null, step: 'look' as const, faults, notes: [problem] });
      if (code === 'empty_cart') return answer(event, typed, checkout.emptied);
      if (code === 'request_running') return answer(event, typed, checkout.running);
      return answer(event, typed, problem, faults, status);
    }
    if (typed.save) await keepAddress(event, typed);
    keepCount(event.cookies, 0);
    return redirect(303, `/orders/${id}/pay`);
  },

  /** Signs in in place, and goes on with what was typed. */
  login: async (event) => {
    const form = await event.request.formData();
    const typed = readTyped(form);
    const { username, password } = textsIn(form, ['username', 'password']);
    const next = await signIn(event, username, password);
    if (next.step === 'code') return { step: 'code' as const, typed };
    if (next.step === 'refused')
      return fail(next.refusal.status, { step: 'login' as const, typed, problem: next.refusal.problem });
    return { step: 'look' as const, faults: {}, ...(await lookAgain(event, typed)) };
  },

  code: async (event) => {
    const form = await event.request.formData();
    const typed = readTyped(form);
    const next = await signInWithCode(event, textsIn(form, ['code']).code);
    if (next.step === 'refused') {
      const step = event.locals.session.pendingToken ? ('code' as const) : ('login' as const);
      return fail(next.refusal.status, { step, typed, problem: next.refusal.problem });
    }
    return { step: 'look' as const, faults: {}, ...(await lookAgain(event, typed)) };
  },
};
