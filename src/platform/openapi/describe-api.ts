import type { INestApplication, INestApplicationContext } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ErrorBody, HTTPValidationError, meaningOfEachCode, ValidationError } from './error.shapes.js';
import { type AccessPolicyName, Settings } from '../../config/settings.js';
import { type AccessLevel, organizationRoleOf } from '../auth/access.js';
import { type RecentLoginMark, recentLoginKey } from '../auth/recent-login.js';
import { listRoutes } from '../auth/route-list.js';
import { answerHeadersKey, type DescribedHeader } from '../http/answer-headers.js';
import { examplesKey, type Refusals, refusalsKey } from '../http/answers.js';
import { serviceVersion } from '../http/service-life.js';
import { versionedKey } from '../http/versioned.js';
import { withDirections } from './directions.js';
import { type Json, type Operation, type Parameter, type Paths, type Schema } from './document.js';
import { Examples } from './examples.js';
import { introduction, tagGroups, tags } from './introduction.js';
import { inTermsOf31 } from './in-terms-of-31.js';
import { operationName } from './operation-names.js';
import { isStrictController } from '../validation/strict.js';
import { closeBodies } from './strictness.js';
import { RefusalResponses } from './refusal-responses.js';

/** The header of callers who belong to several organizations, unless the path names one. */
const organizationHeader: Parameter = {
  name: 'X-Organization-Id',
  in: 'header',
  required: false,
  description: 'Which of your organizations it is about; an API key and the member of one need not say it',
  schema: { type: 'string', format: 'uuid' },
};

const contact = { name: 'The maintainers of Store Service' };

/** How a caller of this access may sign in; an empty requirement stands for nobody. */
function securityOf(access: AccessLevel): Record<string, string[]>[] {
  if (access === 'public') return [];
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
    addHeaders(operation, Reflect.getMetadata(answerHeadersKey, target) as Record<string, DescribedHeader> | undefined);
    if (Reflect.hasMetadata(versionedKey, target)) addEntityTag(operation);
    if (level === 'optional') addChallenge(operation);
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

/** Of operations that anybody may call, and that know who calls with a token. */
function addChallenge({ responses }: Operation): void {
  const description = 'Given where the token that was sent is not valid (`error="invalid_token"`): it counted as none';
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
      description: 'The `access_token` that POST /api/v1/auth/login answers',
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
