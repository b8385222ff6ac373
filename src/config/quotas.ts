import type { EnvironmentReader } from './environment-reader.js';

/** A limit on the holdings or acts of one user, organization or address. Refusals name it in their sentence and headers. */
export interface Quota {
  /** Its name on the wire, in kebab case: `api-keys`. */
  readonly name: string;
  readonly limit: number;
  /** The counted things, after the number: "API keys in force of one organization". */
  readonly counts: string;
  /** Advice for the caller: "revoke one that is no longer used". */
  readonly remedy: string;
  /** For a rate, the window that it is counted over. */
  readonly windowSeconds?: number;
  /** For a quota that drains by itself, when to ask again: a full one is then a 429. */
  readonly drainsInSeconds?: number;
}

/** A limit on acts over a window. */
export type Rate = Quota & { readonly windowSeconds: number };

/**
 * Every quota, with its default: far above an honest user's needs, and low enough that nobody fills the database or starves
 * another. Full holdings are a 403 (`QuotaExceeded`), too many acts a 429 (`RateExceeded`).
 */
const definitions = {
  organizations: {
    name: 'organizations',
    limit: 50,
    counts: 'organizations that one user made and belongs to',
    remedy: 'leave one of them first',
  },
  members: {
    name: 'members',
    limit: 1_000,
    counts: 'members of one organization and invitations to it',
    remedy: 'remove or revoke one first',
  },
  invitations: {
    name: 'invitations',
    limit: 500,
    counts: 'invitations that one user sends in a day',
    remedy: 'wait as long as Retry-After says',
    windowSeconds: 86_400,
  },
  invitationMails: {
    name: 'invitation-mails',
    limit: 5,
    counts: 'invitation mails to one address in a day',
    remedy: 'further invitations are made without a mail',
    windowSeconds: 86_400,
  },
  apiKeys: {
    name: 'api-keys',
    limit: 500,
    counts: 'API keys in force of one organization',
    remedy: 'revoke an unused one first',
  },
  shopKeys: {
    name: 'shop-keys',
    limit: 100,
    counts: 'keys of the shop in force',
    remedy: 'revoke an unused one first',
  },
  shopViews: {
    name: 'shop-views',
    limit: 500,
    counts: 'saved views of the shop',
    remedy: 'delete one first',
  },
  workflows: {
    name: 'workflows',
    limit: 200,
    counts: 'workflows of one organization',
    remedy: 'delete one first',
  },
  integrations: {
    name: 'integrations',
    limit: 200,
    counts: 'integrations of one organization',
    remedy: 'delete one first',
  },
  profiles: {
    name: 'profiles',
    limit: 10_000,
    counts: 'profiles of one organization',
    remedy: 'delete one without scans first',
  },
  tags: {
    name: 'tags',
    limit: 10_000,
    counts: 'tags of one organization',
    remedy: 'delete one first',
  },
  views: {
    name: 'views',
    limit: 1_000,
    counts: 'saved views of one organization',
    remedy: 'delete one first',
  },
  branches: {
    name: 'branches',
    limit: 100_000,
    counts: 'open branches of the assets of one organization',
    remedy: 'close some first',
  },
  locations: {
    name: 'locations',
    limit: 10_000,
    counts: 'locations of one organization',
    remedy: 'delete one first',
  },
  assets: {
    name: 'assets',
    limit: 100_000,
    counts: 'assets of one organization',
    remedy: 'delete some without scans and issues first',
  },
  openRuns: {
    name: 'open-runs',
    limit: 1_000,
    counts: 'workflow runs of one organization that wait to be sent',
    remedy: 'wait until some have been sent',
    drainsInSeconds: 30,
  },
  searches: {
    name: 'searches',
    limit: 2,
    counts: 'searches of one organization at once, on one node,',
    remedy: 'wait until some have ended',
  },
  followers: {
    name: 'followers',
    limit: 200,
    counts: 'streams of events of one organization at once, on one node,',
    remedy: 'close one of them, or poll GET /api/v1/events/arrivals',
  },
  events: {
    name: 'events',
    limit: 50_000_000,
    counts: 'events that one organization appends in a day',
    remedy: 'wait as long as Retry-After says',
    windowSeconds: 86_400,
  },
  imports: {
    name: 'imports',
    limit: 16,
    counts: 'imports of one organization at once, on one node,',
    remedy: 'wait until one has ended',
  },
  addresses: {
    name: 'addresses',
    limit: 10,
    counts: 'addresses of one user',
    remedy: 'delete one first',
  },
  exports: {
    name: 'exports',
    limit: 10,
    counts: 'exports of their own data that one user asks for in an hour',
    remedy: 'wait as long as Retry-After says',
    windowSeconds: 3_600,
  },
  orders: {
    name: 'orders',
    limit: 1_000,
    counts: 'orders that one user places in a day',
    remedy: 'wait as long as Retry-After says',
    windowSeconds: 86_400,
  },
  unpaidOrders: {
    name: 'unpaid-orders',
    limit: 500,
    counts: 'orders of one user that are pending',
    remedy: 'pay or cancel one first',
  },
  orderNotes: {
    name: 'order-notes',
    limit: 200,
    counts: 'notes about one order',
    remedy: 'write what is new into another system, and refer to the order by its number',
  },
  orderMails: {
    name: 'order-mails',
    limit: 20,
    counts: 'mails about one order that are sent again in a day',
    remedy: 'wait as long as Retry-After says',
    windowSeconds: 86_400,
  },
  couponGuesses: {
    name: 'coupon-guesses',
    limit: 100,
    counts: 'wrong coupon codes of one address or user in an hour',
    remedy: 'wait as long as Retry-After says',
    windowSeconds: 3_600,
  },
  webhooks: {
    name: 'webhooks',
    limit: 50,
    counts: 'webhooks of the shop',
    remedy: 'delete one first',
  },
  uploads: {
    name: 'uploads',
    limit: 1_000,
    counts: 'uploaded pictures of one user',
    remedy: 'delete one by DELETE /api/v1/uploads/{kind}/{filename} first',
  },
  uploadMegabytes: {
    name: 'upload-megabytes',
    limit: 500,
    counts: 'MiB of uploaded pictures of one user',
    remedy: 'delete some by DELETE /api/v1/uploads/{kind}/{filename} first',
  },
  reviews: {
    name: 'reviews',
    limit: 200,
    counts: 'reviews that one user writes in a day',
    remedy: 'wait as long as Retry-After says',
    windowSeconds: 86_400,
  },
  testimonials: {
    name: 'testimonials',
    limit: 100,
    counts: 'testimonials that one user writes in a day',
    remedy: 'wait as long as Retry-After says',
    windowSeconds: 86_400,
  },
  registrations: {
    name: 'registrations',
    limit: 500,
    counts: 'registrations from one address in an hour',
    remedy: 'wait as long as Retry-After says',
    windowSeconds: 3_600,
  },
  providerSignIns: {
    name: 'provider-sign-ins',
    limit: 1_000,
    counts: 'sign-ins with the provider that are begun from one address in an hour',
    remedy: 'wait as long as Retry-After says',
    windowSeconds: 3_600,
  },
  accountMails: {
    name: 'account-mails',
    limit: 10,
    counts: 'mails about their own account that one account requests in an hour',
    remedy: 'look for the last mail, or wait as long as Retry-After says',
    windowSeconds: 3_600,
  },
  forgottenPasswords: {
    name: 'forgotten-passwords',
    limit: 50,
    counts: 'password resets that one address requests in an hour',
    remedy: 'wait as long as Retry-After says',
    windowSeconds: 3_600,
  },
} satisfies Record<string, Quota>;

type Definitions = typeof definitions;
export type QuotaName = keyof Definitions;
/** The quotas that count acts over a window. */
export type RateName = { [Name in QuotaName]: Definitions[Name] extends Rate ? Name : never }[QuotaName];
/** The quotas that count holdings. */
export type StockName = Exclude<QuotaName, RateName>;
export type Quotas = { readonly [Name in QuotaName]: Name extends RateName ? Rate : Quota };

const most = 2_147_483_647;

const names = Object.values<Quota>(definitions).map(({ name }) => name);
const form = /^([a-z-]+)=(\d{1,10})$/;

/** The limits of a list such as `assets=200000,members=5000`, by name. */
function parseLimits(list: string): Map<string, number> | undefined {
  const limits = new Map<string, number>();
  for (const entry of list.split(',')) {
    const [, name = '', digits = ''] = form.exec(entry.trim()) ?? [];
    const limit = Number(digits);
    if (!names.includes(name) || limit < 1 || limit > most) return undefined;
    limits.set(name, limit);
  }
  return limits;
}

/** The quotas, with the limits that the environment sets by `QUOTAS`. */
export function readQuotas(read: EnvironmentReader): Quotas {
  const takes =
    `a comma-separated list of limits from 1 to ${most}, such as assets=200000,members=5000, of ` + names.join(', ');
  const limits = read.parsed('QUOTAS', takes, new Map<string, number>(), parseLimits);
  const entries = Object.entries<Quota>(definitions).map(([key, quota]) => [
    key,
    { ...quota, limit: limits.get(quota.name) ?? quota.limit },
  ]);
  return Object.fromEntries(entries) as Quotas;
}
