import { type AccessLevel, organizationRoleOf } from '../auth/access.js';
import { errorCodes, type ErrorKind } from '../errors/error-codes.js';
import type { Refusals } from '../http/answers.js';
import { statusOfKind } from '../errors/status-table.js';
import { type Json, type Operation, refTo } from './document.js';

const tokenCodes = ['token_expired', 'token_invalid', 'token_revoked'] as const;

/** Refusals that many routes share; as long as a route adds none of its own at that status, it refers to them by name. */
const shared = {
  OrganizationRequired: { rule_broken: ['organization_required'] },
  NotSignedIn: { unauthenticated: ['unauthenticated', ...tokenCodes, 'invalid_api_key'] },
  AdminOnly: { forbidden: ['admin_only', 'totp_required', 'missing_scope'] },
  PersonOnly: { forbidden: ['missing_scope'] },
  RoleTooLow: { forbidden: ['role_too_low', 'no_organization', 'missing_scope'] },
  NotFound: { not_found: ['not_found'] },
  TooLarge: { payload_too_large: ['payload_too_large'] },
  OtherMediaType: { unsupported_media_type: ['unsupported_media_type'] },
  TooManyRequests: { too_many_requests: ['too_many_requests'] },
  Unavailable: { unavailable: ['database_unavailable', 'busy', 'unavailable'] },
} as const satisfies Record<string, Refusals>;
type SharedName = keyof typeof shared;

const retryAfter = { 'Retry-After': { description: 'The number of seconds to wait', schema: { type: 'integer' } } };
const headersOfStatus: Record<number, Json> = {
  401: { 'WWW-Authenticate': { description: 'RFC 6750', schema: { type: 'string' } } },
  429: retryAfter,
  503: retryAfter,
};
const quotaHeaders = {
  'RateLimit-Policy': { description: 'The quota and its size: "members";q=500', schema: { type: 'string' } },
  RateLimit: { description: 'The rest of it: "members";r=0', schema: { type: 'string' } },
};

const notOfTheShape = {
  description: 'The request does not have the right shape: `detail` lists what is wrong, and where',
  content: {
    'application/json': {
      schema: refTo('HTTPValidationError'),
      example: { detail: [{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }] },
    },
  },
};

function entriesOf(refusals: Refusals): { status: number; code: string; means: string }[] {
  return Object.entries(refusals).flatMap(([kind, codes]) =>
    codes.map((code: string) => {
      const means = (errorCodes[kind as ErrorKind] as Record<string, string>)[code] ?? '';
      return { status: statusOfKind[kind as ErrorKind], code, means };
    }),
  );
}

function responseOf(status: number, entries: readonly { code: string; means: string }[]): Json {
  const [only, ...more] = entries;
  const list = entries.map(({ code, means }) => `- \`${code}\`: ${means}`).join('\n');
  const quota = entries.some(({ code }) => code === 'quota_exceeded' || code === 'rate_exceeded');
  const headers = { ...headersOfStatus[status], ...(quota ? quotaHeaders : {}) };
  const code = { type: 'string', enum: entries.map((entry) => entry.code) };
  return {
    description: more.length > 0 ? list : (only?.means ?? ''),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    content: {
      'application/json': {
        schema: { allOf: [refTo('ErrorBody'), { type: 'object', required: ['code'], properties: { code } }] },
        examples: Object.fromEntries(
          entries.map((entry) => [entry.code, { value: { detail: entry.means, code: entry.code } }]),
        ),
      },
    },
  };
}

/** The refusals that the access mark and the input of a route imply. */
function impliedBy(access: AccessLevel, { requestBody }: Operation): SharedName[] {
  const names: SharedName[] = ['TooManyRequests', 'Unavailable'];
  if (access === 'bearer' || access === 'bearer-or-key' || access === 'admin') names.push('NotSignedIn');
  if (access === 'admin') names.push('AdminOnly');
  else if (access !== 'public' && !organizationRoleOf(access)) names.push('PersonOnly');
  if (organizationRoleOf(access)) names.push('OrganizationRequired', 'NotSignedIn', 'RoleTooLow', 'NotFound');
  if (requestBody) names.push('TooLarge', 'OtherMediaType');
  return names;
}

/** Writes the refusals of operations into their responses. */
export class RefusalResponses {
  /** The shared ones that operations refer to, for the components of the interface description. */
  readonly components: Record<string, Json> = {};

  /** Adds the refusals that the access, the input and the rules of a route can give; a strict one refuses unknown names. */
  add(operation: Operation, access: AccessLevel, declared: Refusals, strict: boolean): void {
    const own = entriesOf(declared);
    const implied = impliedBy(access, operation).map((name) => ({ name, entries: entriesOf(shared[name]) }));
    for (const { name, entries } of implied) {
      const status = entries[0]?.status ?? 0;
      if (own.some((entry) => entry.status === status)) own.push(...entries);
      else operation.responses[status] ??= this.sharedResponse(name, status, entries);
    }
    for (const status of new Set(own.map((entry) => entry.status))) {
      const entries = own.filter((entry) => entry.status === status);
      const distinct = entries.filter(({ code }, at) => entries.findIndex((one) => one.code === code) === at);
      operation.responses[status] = responseOf(status, distinct);
    }
    if (strict || operation.parameters?.length || operation.requestBody) operation.responses[422] ??= this.invalid();
  }

  private sharedResponse(name: SharedName, status: number, entries: { code: string; means: string }[]): Json {
    this.components[name] ??= responseOf(status, entries);
    return { $ref: `#/components/responses/${name}` };
  }

  private invalid(): Json {
    this.components['Invalid'] ??= notOfTheShape;
    return { $ref: '#/components/responses/Invalid' };
  }
}
