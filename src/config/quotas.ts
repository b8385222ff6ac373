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
  /** The environment variable by which the operator sets the limit. */
  readonly setting: string;
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
    setting: 'ORGANIZATIONS_PER_USER',
  },
  members: {
    name: 'members',
    limit: 1_000,
    counts: 'members of one organization and invitations to it',
    remedy: 'remove or revoke one first',
    setting: 'MEMBERS_PER_ORGANIZATION',
  },
  invitations: {
    name: 'invitations',
    limit: 500,
    counts: 'invitations that one user sends in a day',
    remedy: 'go on when Retry-After says',
    setting: 'INVITATIONS_PER_DAY',
    windowSeconds: 86_400,
  },
  invitationMails: {
    name: 'invitation-mails',
    limit: 5,
    counts: 'invitation mails to one address in a day',
    remedy: 'the invitations beyond them are made without a mail',
    setting: 'INVITATION_MAILS_PER_ADDRESS',
    windowSeconds: 86_400,
  },
  apiKeys: {
    name: 'api-keys',
    limit: 500,
    counts: 'API keys in force of one organization',
    remedy: 'revoke one that is no longer used first',
    setting: 'API_KEYS_PER_ORGANIZATION',
  },
  workflows: {
    name: 'workflows',
    limit: 200,
    counts: 'workflows of one organization',
    remedy: 'delete one first',
    setting: 'WORKFLOWS_PER_ORGANIZATION',
  },
  integrations: {
    name: 'integrations',
    limit: 200,
    counts: 'integrations of one organization',
    remedy: 'delete one first',
    setting: 'INTEGRATIONS_PER_ORGANIZATION',
  },
  profiles: {
    name: 'profiles',
    limit: 10_000,
    counts: 'profiles of one organization',
    remedy: 'delete one that has no scans first',
    setting: 'PROFILES_PER_ORGANIZATION',
  },
  tags: {
    name: 'tags',
    limit: 10_000,
    counts: 'tags of one organization',
    remedy: 'delete one first',
    setting: 'TAGS_PER_ORGANIZATION',
  },
  locations: {
    name: 'locations',
    limit: 10_000,
    counts: 'locations of one organization',
    remedy: 'delete one first',
    setting: 'LOCATIONS_PER_ORGANIZATION',
  },
  assets: {
    name: 'assets',
    limit: 100_000,
    counts: 'assets of one organization',
    remedy: 'delete some that have neither scans nor issues first',
    setting: 'ASSETS_PER_ORGANIZATION',
  },
  openRuns: {
    name: 'open-runs',
    limit: 1_000,
    counts: 'workflow runs of one organization that wait to be sent',
    remedy: 'wait until some are',
    setting: 'OPEN_RUNS_PER_ORGANIZATION',
    drainsInSeconds: 30,
  },
  searches: {
    name: 'searches',
    limit: 2,
    counts: 'searches of one organization at once, on one node,',
    remedy: 'wait until some have ended',
    setting: 'SEARCHES_PER_ORGANIZATION',
  },
  followers: {
    name: 'followers',
    limit: 200,
    counts: 'streams of events of one organization at once, on one node,',
    remedy: 'close one of them, or ask GET /api/v1/events/arrivals in turns',
    setting: 'EVENT_FOLLOWERS_PER_ORGANIZATION',
  },
  events: {
    name: 'events',
    limit: 50_000_000,
    counts: 'events that one organization appends in a day',
    remedy: 'go on when Retry-After says',
    setting: 'EVENTS_PER_DAY',
    windowSeconds: 86_400,
  },
  imports: {
    name: 'imports',
    limit: 16,
    counts: 'imports of one organization at once, on one node,',
    remedy: 'wait until one has ended',
    setting: 'IMPORTS_PER_ORGANIZATION',
  },
  orders: {
    name: 'orders',
    limit: 1_000,
    counts: 'orders that one user places in a day',
    remedy: 'go on when Retry-After says',
    setting: 'ORDERS_PER_DAY',
    windowSeconds: 86_400,
  },
  unpaidOrders: {
    name: 'unpaid-orders',
    limit: 500,
    counts: 'orders of one user that are pending',
    remedy: 'pay or cancel one first',
    setting: 'UNPAID_ORDERS_PER_USER',
  },
  couponGuesses: {
    name: 'coupon-guesses',
    limit: 100,
    counts: 'wrong coupon codes of one address or user in an hour',
    remedy: 'try again when Retry-After says',
    setting: 'COUPON_GUESSES_PER_HOUR',
    windowSeconds: 3_600,
  },
  uploads: {
    name: 'uploads',
    limit: 1_000,
    counts: 'uploaded pictures of one user',
    remedy: 'delete one by DELETE /api/v1/uploads/{kind}/{filename} first',
    setting: 'UPLOADS_PER_USER',
  },
  uploadMegabytes: {
    name: 'upload-megabytes',
    limit: 500,
    counts: 'MiB of uploaded pictures of one user',
    remedy: 'delete some by DELETE /api/v1/uploads/{kind}/{filename} first',
    setting: 'UPLOAD_MB_PER_USER',
  },
  reviews: {
    name: 'reviews',
    limit: 200,
    counts: 'reviews that one user writes in a day',
    remedy: 'go on when Retry-After says',
    setting: 'REVIEWS_PER_DAY',
    windowSeconds: 86_400,
  },
  testimonials: {
    name: 'testimonials',
    limit: 100,
    counts: 'testimonials that one user writes in a day',
    remedy: 'go on when Retry-After says',
    setting: 'TESTIMONIALS_PER_DAY',
    windowSeconds: 86_400,
  },
  registrations: {
    name: 'registrations',
    limit: 500,
    counts: 'registrations from one address in an hour',
    remedy: 'try again when Retry-After says',
    setting: 'REGISTRATIONS_PER_HOUR',
    windowSeconds: 3_600,
  },
  accountMails: {
    name: 'account-mails',
    limit: 10,
    counts: 'mails about itself that one account causes in an hour',
    remedy: 'look for the last one, or try again when Retry-After says',
    setting: 'ACCOUNT_MAILS_PER_HOUR',
    windowSeconds: 3_600,
  },
  forgottenPasswords: {
    name: 'forgotten-passwords',
    limit: 50,
    counts: 'new passwords that one address asks for in an hour',
    remedy: 'try again when Retry-After says',
    setting: 'FORGOTTEN_PASSWORDS_PER_HOUR',
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

/** The quotas with the limits that the environment sets. */
export function readQuotas(read: EnvironmentReader): Quotas {
  const entries = Object.entries<Quota>(definitions).map(([key, quota]) => [
    key,
    { ...quota, limit: read.integer(quota.setting, quota.limit, 1, most) },
  ]);
  return Object.fromEntries(entries) as Quotas;
}
