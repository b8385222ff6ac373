import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ErrorBody, HTTPValidationError, ValidationError } from '../errors/error.shapes.js';
import { type AccessLevel, organizationRoleOf } from '../auth/access.js';
import { listRoutes } from '../auth/route-list.js';
import { Settings } from '../../config/settings.js';
import { serviceVersion } from './service-life.js';

type Json = Record<string, unknown>;
interface Operation {
  security?: unknown[];
  parameters?: unknown[];
  requestBody?: unknown;
  responses: Record<string, Json>;
}

const aboutTheApi =
  'Accounts, catalogue, cart, orders, coupons, testimonials, reviews, uploads and administration of an online shop. ' +
  'Get a token from POST /api/v1/auth/login and send it as "Authorization: Bearer <token>".';

function refusal(description: string, schema = 'ErrorBody'): Json {
  return { description, content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } } };
}

/** What a bearer of several organizations says with each request, save where the path names one. */
const organizationHeader = {
  name: 'X-Organization-Id',
  in: 'header',
  required: false,
  description: 'Which of your organizations it is about; an API key and the member of one need not say it',
  schema: { type: 'string', format: 'uuid' },
};

/** Adds to an operation the refusals that its access and its input imply. */
function addImpliedRefusals(operation: Operation, access: AccessLevel): void {
  const implied: [string, Json][] = [
    ['429', refusal('Too many requests; Retry-After says when to come back')],
    ['503', refusal('The database is away; try again soon')],
  ];
  if (access === 'bearer-or-key') implied.push(['401', refusal('No valid API key or access token')]);
  if (access === 'bearer' || access === 'admin') implied.push(['401', refusal('No valid access token')]);
  if (access === 'admin') implied.push(['403', refusal('The caller is no admin')]);
  if (organizationRoleOf(access)) {
    implied.push(
      ['400', refusal('The caller belongs to several organizations: X-Organization-Id must name one')],
      ['401', refusal('No valid API key or access token')],
      ['403', refusal('The caller belongs to no organization, or his role in it is too low')],
      ['404', refusal('No such thing in the organization')],
    );
  }
  if (operation.parameters?.length || operation.requestBody) {
    implied.push(['422', refusal('The request does not have the right shape', 'HTTPValidationError')]);
  }
  if (operation.requestBody) {
    implied.push(['413', refusal('The body is too large')], ['415', refusal('The body is of another type')]);
  }
  for (const [status, response] of implied) operation.responses[status] ??= response;
}

/** Writes each path as the controllers do, trailing slashes included, with what its access mark implies. */
function describeAccess(paths: Record<string, Record<string, Operation>>, app: INestApplication): typeof paths {
  const policy = app.get(Settings).accessPolicy;
  const exact: typeof paths = {};
  for (const { method, path, access } of listRoutes(app)) {
    const written = path.replace(/:(\w+)/g, '{$1}');
    const operation = (paths[written] ?? paths[written.replace(/\/$/, '')])?.[method.toLowerCase()];
    if (!operation) continue;
    const level = access?.[policy] ?? 'admin';
    if (level === 'bearer' || level === 'admin') operation.security = [{ bearer: [] }];
    if (organizationRoleOf(level) || level === 'bearer-or-key') operation.security = [{ apiKey: [] }, { bearer: [] }];
    addImpliedRefusals(operation, level);
    if (organizationRoleOf(level) && !path.includes(':organizationId')) {
      operation.parameters = [...(operation.parameters ?? []), organizationHeader];
    }
    exact[written] = { ...exact[written], [method.toLowerCase()]: operation };
  }
  return exact;
}

/** OpenAPI 3.1 says null by type; the generator writes 3.0's `nullable`. */
function withNullTypes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNullTypes);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withNullTypes(value)]),
  );
  if (nullable !== true) return nullable === undefined ? rest : { ...rest, nullable };
  if (typeof rest['type'] === 'string') {
    const values = rest['enum'] as unknown[] | undefined;
    return { ...rest, type: [rest['type'], 'null'], ...(values ? { enum: [...values, null] } : {}) };
  }
  const { description: words, ...schema } = rest;
  return { anyOf: [schema, { type: 'null' }], ...(words === undefined ? {} : { description: words }) };
}

/** Describes every operation, body and refusal as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.1). */
export function describeApi(app: INestApplication, publicUrl: string | undefined): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Store Service API')
    .setDescription(aboutTheApi)
    .setVersion(serviceVersion)
    .setOpenAPIVersion('3.1.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(publicUrl ?? '/')
    .addBearerAuth()
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'apiKey')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    extraModels: [ErrorBody, HTTPValidationError, ValidationError],
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  const paths = describeAccess(document.paths as unknown as Record<string, Record<string, Operation>>, app);
  return withNullTypes({ ...document, paths }) as OpenAPIObject;
}

/** Serves the document at `/openapi.json` and a page to read and try it at `/docs`. */
export function serveDocs(app: INestApplication, publicUrl: string | undefined): void {
  let document: OpenAPIObject | undefined;
  SwaggerModule.setup('docs', app, () => (document ??= describeApi(app, publicUrl)), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Store Service API',
  });
}
