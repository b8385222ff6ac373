import type { INestApplication, INestApplicationContext } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ErrorBody, HTTPValidationError, meaningOfEachCode, ValidationError } from './error.dto.js';
import { type AccessPolicyName, Settings } from '../../config/settings.js';
import { type AccessLevel, organizationRoleOf } from '../auth/access.js';
import { scopeKey, type ScopeMark } from '../auth/scopes.js';
import { recentLoginKey, type RecentLoginMark } from '../auth/recent-login.js';
import { listRoutes } from '../auth/route-list.js';
import { responseHeadersKey, type DescribedHeader } from '../http/response-headers.js';
import { examplesKey, type Refusals, refusalsKey } from '../http/answers.js';
import { serviceVersion } from '../http/service-life.js';
import { versionedKey } from '../http/if-match.js';
import { withDirections } from './directions.js';
import { type Json, nameOf, type Operation, type Parameter, type Paths, type Schema } from './document.js';
import { Examples } from './examples.js';
import { introduction, tagGroups, tags } from './introduction.js';
import { isStrictController } from '../validation/strict.js';
import { RefusalResponses } from './refusal-responses.js';

function close(schema: Schema | undefined, schemas: Record<string, Schema>, closed: Set<Schema>): void {
  if (schema === undefined || closed.has(schema)) return;
  closed.add(schema);
  const name = nameOf(schema.$ref);
  if (name !== undefined) close(schemas[name], schemas, closed);
  if (schema.properties) schema['additionalProperties'] = false;
  const { items, allOf = [], anyOf = [], oneOf = [], properties = {} } = schema;
  for (const inner of [items, ...allOf, ...anyOf, ...oneOf, ...Object.values(properties)]) {
    close(inner, schemas, closed);
  }
}

/** Forbids properties beyond the named ones for every object in the JSON bodies of an operation. */
function closeBodies({ requestBody }: Operation, schemas: Record<string, Schema>): void {
  const closed = new Set<Schema>();
  for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
    if (type !== 'multipart/form-data') close(schema, schemas, closed);
  }
}

/** Controllers whose operations belong to a group of another name; each other's group is named after itself. */
const groups: Record<string, string> = {
  Catalogue: 'products',
  Accounts: 'users',
  AccountExport: 'users',
  Refresh: 'auth',
  AdminDashboard: 'admin',
  AdminProductFiles: 'adminProducts',
  OrganizationAudit: 'audit',
  IdLookups: 'ids',
  Reports: 'scans',
  BranchClosings: 'branches',
  IssueAppends: 'issues',
  ScanEvents: 'events',
  EventAppends: 'events',
  EventStream: 'events',
  Preview: 'workflows',
  TestSends: 'workflows',
};

/** The operationId, from which clients make their calls: `products_list` becomes `store.products.list()`. */
function operationName(controller: string, method: string): string {
  const name = controller.replace(/Controller$/, '');
  return `${groups[name] ?? name.charAt(0).toLowerCase() + name.slice(1)}_${method}`;
}

type Node = Record<string, unknown>;

/** A reference with a description beside it, which 3.0 wraps into an `allOf`. */
function unwrapped({ allOf, ...rest }: Node): Node {
  if (!Array.isArray(allOf)) return rest;
  return allOf.length === 1 ? { ...(allOf[0] as Node), ...rest } : { allOf, ...rest };
}

/** Whether a keyword says something of a schema, rather than what is valid by it. */
function isWord(key: string): boolean {
  return ['description', 'example', 'default'].includes(key) || key.startsWith('x-');
}

/** A schema or null, its words outside: an enum never holds null, which generators would take for one of its texts. */
function orNull(schema: Node): Node {
  const words = Object.entries(schema).filter(([key]) => isWord(key));
  const rules = Object.entries(schema).filter(([key]) => !isWord(key));
  return { anyOf: [Object.fromEntries(rules), { type: 'null' }], ...Object.fromEntries(words) };
}

/** Turns the generator's OpenAPI 3.0 into 3.1: null is a type, and a reference may have a description beside it. */
function inTermsOf31(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inTermsOf31);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = unwrapped(
    Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inTermsOf31(value)])),
  );
  const { type, enum: values } = rest;
  if (Array.isArray(type) && Array.isArray(values)) {
    const [only] = type.filter((one) => one !== 'null') as string[];
    return orNull({ ...rest, type: only, enum: values.filter((value) => value !== null) });
  }
  if (nullable !== true) return nullable === undefined ? rest : { ...rest, nullable };
  return typeof type === 'string' ? { ...rest, type: [type, 'null'] } : orNull(rest);
}

/** The header of callers who belong to several organizations, unless the path names one. */
const organizationHeader: Parameter = {
  name: 'X-Organization-Id',
  in: 'header',
  required: false,
  description: 'The organization of the request; needed only by a login that belongs to several',
  schema: { type: 'string', format: 'uuid' },
};

const contact = { name: 'The maintainers of Store Service' };

/** How a caller of this access may sign in; an empty requirement stands for nobody. */
function securityOf(access: AccessLevel): Record<string, string[]>[] {
  if (access === 'public' || access === 'token-optional') return [];
  if (access === 'optional') return [{}, { bearer: [] }];
  return access === 'bearer' || access === 'admin' ? [{ bearer: [] }] : [{ apiKey: [] }, { bearer: [] }];
}

/** The operations at their addresses as the controllers write them, with what the decorators of their routes say. */
function operationsOf(paths: Paths, app: INestApplicationContext, refusals: RefusalResponses) {
  const policy = app.get(Settings).accessPolicy;
  const described: { path: string; method: string; operation: Operation; strict: boolean; examples: Json }[] = [];
  for (const { method, path, access, target, instance } of listRoutes(app)) {
    const written = path.replace(/:(\w+)/g, '{$1}');
    const operation = (paths[written] ?? paths[written.replace(/\/$/, '')])?.[method.toLowerCase()];
    if (!operation) continue;
    const level = access?.[policy] ?? 'admin';
    operation.security = securityOf(level);
    const strict = isStrictController(instance.constructor);
    addHeaders(
      operation,
      Reflect.getMetadata(responseHeadersKey, target) as Record<string, DescribedHeader> | undefined,
    );
    if (Reflect.hasMetadata(versionedKey, target)) addEntityTag(operation);
    if (level === 'optional') addChallenge(operation);
    if (access?.hardened === 'admin')
      addScope(operation, Reflect.getMetadata(scopeKey, target) as ScopeMark | undefined);
    refusals.add(operation, level, refusalsOf(target, policy), strict);
    if (organizationRoleOf(level) && !path.includes(':organizationId')) {
      operation.parameters = [...(operation.parameters ?? []), organizationHeader];
    }
    const examples = (Reflect.getMetadata(examplesKey, target) ?? {}) as Json;
    described.push({ path: written, method: method.toLowerCase(), operation, strict, examples });
  }
  return described;
}

/** The refusals that the decorators of a route name. */
function refusalsOf(target: object, policy: AccessPolicyName): Refusals {
  const declared = (Reflect.getMetadata(refusalsKey, target) ?? {}) as Refusals;
  const recentLogin = Reflect.getMetadata(recentLoginKey, target) as RecentLoginMark | undefined;
  if (!recentLogin?.policies.includes(policy)) return declared;
  return { ...declared, unauthenticated: [...(declared.unauthenticated ?? []), 'reauthentication_required'] };
}

function addHeaders({ responses }: Operation, headers: Record<string, DescribedHeader> | undefined): void {
  if (headers) responses[200] = { ...responses[200], headers };
}

function addEntityTag({ responses }: Operation): void {
  const headers = { ETag: { description: 'The version, for If-Match', schema: { type: 'string' } } };
  for (const status of [200, 201]) if (responses[status]) responses[status] = { ...responses[status], headers };
}

/** Which keys of the shop may use an operation of admins. */
function addScope(operation: Operation, scope: ScopeMark = 'person'): void {
  const keys =
    scope === 'person' ? 'Not open to keys of the shop.' : `Open to keys of the shop with the scope \`${scope}\`.`;
  operation['description'] = [operation['description'], keys].filter(Boolean).join(' ');
}

/** Of operations that anybody may call, and that know who calls with a token. */
function addChallenge({ responses }: Operation): void {
  const description =
    'Sent if the access token of the request is not valid (`error="invalid_token"`): the request counted as one ' +
    'without a token';
  const challenge = { 'WWW-Authenticate': { description, schema: { type: 'string' } } };
  for (const status of [200, 201, 204]) {
    const response = responses[status];
    if (response) responses[status] = { ...response, headers: { ...(response['headers'] as Json), ...challenge } };
  }
}

function generated(app: INestApplication, publicUrl: string | undefined): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Store Service API')
    .setDescription(introduction())
    .setVersion(serviceVersion)
    .setOpenAPIVersion('3.1.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(publicUrl ?? '/')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The `access_token` from POST /api/v1/auth/login',
    })
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key of your organization' }, 'apiKey')
    .build();
  return SwaggerModule.createDocument(app, config, {
    extraModels: [ErrorBody, HTTPValidationError, ValidationError],
    operationIdFactory: operationName,
  });
}

/** The interface description, and its gaps. */
export interface Description {
  /** As JSON; `withDemoValues` fills in the rows that its examples name. */
  json: string;
  /** Fields without an example. */
  lacking: string[];
}

/** Describes every operation, body and refusal as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.1). */
export function describeApi(app: INestApplication, publicUrl: string | undefined): Description {
  const document = generated(app, publicUrl);
  const refusals = new RefusalResponses();
  const operations = operationsOf(document.paths as unknown as Paths, app, refusals);
  const exact: Paths = {};
  for (const { path, method, operation } of operations) exact[path] = { ...exact[path], [method]: operation };
  const nullable = inTermsOf31({ paths: exact, schemas: document.components?.schemas }) as {
    paths: Paths;
    schemas: Record<string, Schema>;
  };
  const { paths, schemas } = withDirections(nullable.paths, nullable.schemas);
  schemas['ErrorCode'] = { ...schemas['ErrorCode'], description: meaningOfEachCode };
  const examples = new Examples(schemas);
  for (const { path, method, strict, examples: given } of operations) {
    const operation = paths[path]?.[method];
    if (operation && strict) closeBodies(operation, schemas);
    if (operation) examples.addTo(operation, given);
  }
  const components = { ...document.components, schemas, responses: refusals.components };
  return {
    json: JSON.stringify({
      ...document,
      info: { ...document.info, contact },
      tags,
      'x-tagGroups': tagGroups,
      paths,
      components,
    }),
    lacking: [...examples.lacking],
  };
}
