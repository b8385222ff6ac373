import {
  EnumField,
  IntegerField,
  JsonField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { type ApiRouteOperation, apiRouteOperations, type Coverage, coverages, maxLine } from '../vocabulary.js';

// Unspecified: how long the texts of a target may be.
const maxText = 4_096;
const maxUid = 1_024;
// A request may carry a thousand targets of each of ten thousand issues.
const parameterBounds = { maxEntries: 500, maxTextLength: 4_096, maxBytes: 16_384 };

class ApiRouteFields {
  @EnumField(apiRouteOperations)
  operation: ApiRouteOperation;
  @StringField({
    minLength: 1,
    maxLength: maxText,
    description: 'The path or name of the route',
    example: '/products/search',
  })
  name: string;
  @JsonField({ optional: true, nullable: 'ignored', bounds: parameterBounds })
  parameters?: Record<string, unknown>;
  @StringField({ optional: true, nullable: 'ignored', maxLength: maxText })
  returnType?: string;
  @EnumField(coverages, { optional: true, nullable: 'ignored' })
  coverage?: Coverage;
}

class CodeFileFields {
  @StringField({ maxLength: maxText, example: 'TypeScript' })
  language: string;
  @StringField({
    minLength: 1,
    maxLength: maxText,
    description: 'Relative to the root of the repository',
    example: 'src/search.ts',
  })
  path: string;
  @IntegerField({
    optional: true,
    nullable: 'ignored',
    min: 1,
    max: maxLine,
    description: 'The place in the file, from the newest scan; webhooks do not send it',
  })
  line?: number;
}

class GraphQLResolverFields {
  @StringField({ minLength: 1, maxLength: maxText, example: 'Query' })
  parent: string;
  @StringField({ minLength: 1, maxLength: maxText, example: 'products' })
  name: string;
  @JsonField({ optional: true, nullable: 'ignored', bounds: parameterBounds })
  parameters?: Record<string, unknown>;
  @StringField({ optional: true, nullable: 'ignored', maxLength: maxText })
  returnType?: string;
}

class WebPageFields {
  @StringField({ minLength: 1, maxLength: maxText, example: 'https://shop.example.com/search' })
  url: string;
  @IntegerField({ min: 0, max: 2_147_483_647, default: 1, description: 'Visits during the scan' })
  visits: number;
}

class WebCrawledUrlFields {
  @StringField({ minLength: 1, maxLength: maxText, example: 'https://shop.example.com/search?q=shirt' })
  url: string;
}

export class ResourceScanTargetAPIRoute extends ApiRouteFields {
  @UuidField()
  id: string;
}
export class ResourceScanTargetCodeFile extends CodeFileFields {
  @UuidField()
  id: string;
}
export class ResourceScanTargetGraphQLResolver extends GraphQLResolverFields {
  @UuidField()
  id: string;
}
export class ResourceScanTargetWebPage extends WebPageFields {
  @UuidField()
  id: string;
}
export class ResourceScanTargetWebCrawledUrl extends WebCrawledUrlFields {
  @UuidField()
  id: string;
}

/** The kinds of detail, one of which a target has. */
export const targetDetails = ['apiRoute', 'codeFile', 'graphqlResolver', 'webPage', 'webCrawledUrl'] as const;

/** Where an issue was found, in a line. */
export const PlaceField = (): PropertyDecorator =>
  StringField({
    nullable: true,
    description: 'One of the targets in one line: a file with its line number, a route or a URL. Null without targets',
    example: 'src/search.ts:42',
  });

/** A place where a scanner found an issue. */
export class TargetCreate {
  @StringField({ minLength: 1, maxLength: maxUid, description: 'Identifies the target: the same in every scan' })
  targetUid: string;
  @ObjectField(() => ApiRouteFields, { optional: true, nullable: 'ignored' })
  apiRoute?: ApiRouteFields;
  @ObjectField(() => CodeFileFields, { optional: true, nullable: 'ignored' })
  codeFile?: CodeFileFields;
  @ObjectField(() => GraphQLResolverFields, { optional: true, nullable: 'ignored' })
  graphqlResolver?: GraphQLResolverFields;
  @ObjectField(() => WebPageFields, { optional: true, nullable: 'ignored' })
  webPage?: WebPageFields;
  @ObjectField(() => WebCrawledUrlFields, { optional: true, nullable: 'ignored' })
  webCrawledUrl?: WebCrawledUrlFields;
}

/** A place where a scan found an issue; it has only the detail object that applies. */
export class ResourceScanTarget {
  @UuidField()
  id: string;
  @StringField({ example: 'GET /products/search' })
  targetUid: string;
  @UuidField({ optional: true, nullable: true, description: 'The newest scan that found it' })
  scanId: string | null;
  @ObjectField(() => ResourceScanTargetAPIRoute, { optional: true })
  apiRoute?: ResourceScanTargetAPIRoute;
  @ObjectField(() => ResourceScanTargetCodeFile, { optional: true })
  codeFile?: ResourceScanTargetCodeFile;
  @ObjectField(() => ResourceScanTargetGraphQLResolver, { optional: true })
  graphqlResolver?: ResourceScanTargetGraphQLResolver;
  @ObjectField(() => ResourceScanTargetWebPage, { optional: true })
  webPage?: ResourceScanTargetWebPage;
  @ObjectField(() => ResourceScanTargetWebCrawledUrl, { optional: true })
  webCrawledUrl?: ResourceScanTargetWebCrawledUrl;
}
