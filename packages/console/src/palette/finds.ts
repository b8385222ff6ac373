import { lineOf, problemOf } from '../api/problem.js';
import { api, ask } from '../api/service.js';
import { can } from '../api/session.svelte.js';
import { asDate, asMoney } from '../parts/format.js';
import { asWords } from '../parts/words.js';
import { hrefOf } from '../router.svelte.js';
import { orderToShip } from './acts.js';
import { type Screen, screens } from '../screens.js';
import { chooseLanguage, language } from '../texts/language.js';
import { languageNames, languages } from '../texts/languages.js';
import { texts } from '../texts/texts.js';

interface Named {
  group: string;
  title: string;
  hint: string;
  /** Other names by which it is found exactly. */
  names?: readonly string[];
}

/** What the palette leads to, or does. */
export type Find = Named & ({ href: string } | { act: () => void });

const mostOfEach = 5;
/** The shortest texts that are searched for; order numbers may be shorter. */
const leastLetters = 3;
const leastOfNames = 2;
const orderNumber = /^#?(\d{1,9})$/;
const idBeginning = /^[0-9a-f]{8}(-[0-9a-f-]{0,27})?$/;

export const isSearched = (text: string): boolean => text.length >= leastOfNames || orderNumber.test(text);

/** `Workflows › Create`: a screen outside the navigation is named together with the one that leads to it. */
function titleOf({ path, title, group }: Screen): string {
  const above = path.slice(0, path.lastIndexOf('/'));
  const parent = screens.find((one) => one.group && (one.path === above || one.path.startsWith(`${above}/`)));
  return group || !parent ? title() : `${parent.title()} › ${title()}`;
}

const groupOf = ({ path }: Screen) => {
  const group = screens.find((one) => one.path === path.split('/')[0])?.group;
  return group ? texts.groups[group] : '';
};

/** The screens open to the user whose names contain all words of the text; those that begin with it come first. */
export function screensFor(text: string): Find[] {
  const words = text.toLowerCase().split(/\s+/);
  const found = screens
    .filter(({ path, needs }) => !path.includes(':') && can(needs))
    .map((screen) => ({
      group: texts.palette.screens,
      title: titleOf(screen),
      hint: groupOf(screen),
      href: hrefOf(screen.path),
    }))
    .filter(({ title, hint }) => words.every((word) => `${title} ${hint}`.toLowerCase().includes(word)));
  const isFirst = ({ title }: Find) => title.toLowerCase().startsWith(text.toLowerCase());
  return [...found.filter(isFirst), ...found.filter((find) => !isFirst(find))];
}

/** The languages other than that of the page, by their own names and by the word for language in any of them. */
export function languagesFor(text: string): Find[] {
  const words = text.toLowerCase().split(/\s+/);
  return languages
    .filter((one) => one !== language)
    .map((one) => ({
      group: texts.parts.language,
      title: languageNames[one],
      hint: texts.parts.language,
      act: () => chooseLanguage(one),
    }))
    .filter(({ title, hint }) => words.every((word) => `${title} ${hint} language`.toLowerCase().includes(word)));
}

async function products(search: string, signal: AbortSignal): Promise<Find[]> {
  const data = await ask(api.adminProducts.list({ query: { search, limit: mostOfEach }, signal }));
  return data.map(({ id, name, price }) => ({
    group: texts.common.products,
    title: name,
    hint: asMoney(price),
    href: hrefOf('shop/products', { search, product: id }),
  }));
}

async function orders(number: number, signal: AbortSignal): Promise<Find[]> {
  const data = await ask(api.adminOrders.list({ query: { number, limit: 1 }, signal }));
  return data.map(({ id, username, status }) => ({
    group: texts.common.orders,
    title: texts.palette.order(id),
    hint: `${username}, ${asWords(status)}`,
    href: hrefOf(`shop/orders/${id}`),
    names: [String(id)],
  }));
}

/** The order of this number with its form for shipping, if it can be shipped now. */
async function shipping(number: number, signal: AbortSignal): Promise<Find[]> {
  const data = await ask(api.adminOrders.list({ query: { number, limit: 1 }, signal }));
  return data
    .filter(({ next_statuses }) => next_statuses?.includes('shipped'))
    .map(({ id, username, status }) => ({
      group: texts.palette.actions,
      title: texts.palette.shipOrder(id),
      hint: `${username}, ${asWords(status)}`,
      href: hrefOf(`shop/orders/${id}`, { act: 'ship' }),
    }));
}

async function coupons(search: string, signal: AbortSignal): Promise<Find[]> {
  const data = await ask(api.adminCoupons.list({ query: { search, limit: mostOfEach }, signal }));
  return data.map(({ id, code, discount_percent }) => ({
    group: texts.screens.coupons,
    title: code,
    hint: `${discount_percent} %`,
    href: hrefOf('shop/coupons', { search, coupon: id }),
  }));
}

async function customers(search: string, signal: AbortSignal): Promise<Find[]> {
  const data = await ask(api.adminUsers.list({ query: { search, limit: mostOfEach }, signal }));
  return data.map(({ id, username, email, first_name, last_name }) => ({
    group: texts.common.customers,
    title: [first_name, last_name].filter(Boolean).join(' ') || username,
    hint: first_name || last_name ? `${username}, ${email}` : email,
    href: hrefOf('shop/customers', { search, customer: id }),
    names: [username, email],
  }));
}

async function issues(search: string, signal: AbortSignal): Promise<Find[]> {
  const { data } = await ask(api.issues.list({ query: { search, size: mostOfEach }, signal }));
  return data.map(({ id, name, severity, asset }) => ({
    group: texts.common.issues,
    title: name,
    hint: `${asWords(severity)}, ${asset.name}`,
    href: hrefOf('scanning/issues', { issue: id }),
  }));
}

async function assets(search: string, signal: AbortSignal): Promise<Find[]> {
  const { data } = await ask(api.assets.list({ query: { search, size: mostOfEach }, signal }));
  return data.map(({ id, name, type }) => ({
    group: texts.common.assets,
    title: name,
    hint: asWords(type),
    href: hrefOf(`scanning/assets/${id}`),
  }));
}

/** Scans by the names of their profiles. */
async function scans(search: string, signal: AbortSignal): Promise<Find[]> {
  const profiles = await ask(api.profiles.list({ query: { search, size: mostOfEach }, signal }));
  if (profiles.data.length === 0) return [];
  const profileIds = profiles.data.map(({ id }) => id);
  const { data } = await ask(api.scans.list({ query: { profileIds, size: mostOfEach }, signal }));
  return data.map(({ id, application, status, createdAt }) => ({
    group: texts.common.scans,
    title: application.name,
    hint: `${asWords(status)}, ${asDate(createdAt)}`,
    href: hrefOf(`scanning/scans/${id}`),
  }));
}

const kinds = [
  ['SCAN', texts.common.scans, (id: string) => hrefOf(`scanning/scans/${id}`)],
  ['ISSUE', texts.common.issues, (id: string) => hrefOf('scanning/issues', { issue: id })],
  ['ASSET', texts.common.assets, (id: string) => hrefOf(`scanning/assets/${id}`)],
] as const;

/** Resources by the beginning of their id, as found in logs and reports. */
async function byId(prefix: string, signal: AbortSignal): Promise<Find[]> {
  const found = await Promise.all(
    kinds.map(async ([kind, group, href]) => {
      const { data } = await ask(api.ids.lookUp({ query: { kind, prefix }, signal }));
      return data.map(({ id, name }) => ({ group, title: name, hint: id, href: href(id) }));
    }),
  );
  return found.flat();
}

export interface Searched {
  finds: Find[];
  /** The reason why the search was incomplete, or an empty string. */
  problem: string;
}

/** Asks the service for everything that the text may mean, as far as the user may see it; until `signal` ends it. */
export async function searchFor(text: string, signal: AbortSignal): Promise<Searched> {
  const asked: Promise<Find[]>[] = [];
  const [, number] = orderNumber.exec(text) ?? [];
  const toShip = orderToShip(text);
  if (can('shop-admin') && toShip !== null) asked.push(shipping(toShip, signal), orders(toShip, signal));
  if (can('shop-admin') && number !== undefined) asked.push(orders(Number(number), signal));
  if (text.length >= leastOfNames && can('shop-admin')) asked.push(customers(text, signal));
  if (text.length >= leastLetters) {
    if (can('shop-admin')) asked.push(products(text, signal), coupons(text, signal));
    if (can('viewer')) asked.push(issues(text, signal), assets(text, signal), scans(text, signal));
    if (can('viewer') && idBeginning.test(text.toLowerCase())) asked.push(byId(text.toLowerCase(), signal));
  }
  const answers = await Promise.allSettled(asked);
  signal.throwIfAborted();
  const failed = answers.find(({ status }) => status === 'rejected');
  const finds = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  return {
    finds: [...Map.groupBy(finds, ({ group }) => group).values()].flat(),
    problem: failed?.status === 'rejected' ? lineOf(problemOf(failed.reason)) : '',
  };
}
