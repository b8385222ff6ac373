import * as values from '../vocabulary.js';
import {
  anyObject,
  type JsonSchema,
  listOf,
  named,
  number,
  object,
  oneOf,
  text,
  time,
  truth,
  uuid,
} from '../../platform/openapi/json-schema.js';
import { payloadSchema } from './json-schema.js';

const technology = {
  framework: oneOf(values.frameworks),
  authProtocol: oneOf(values.authProtocols),
  authTechnology: oneOf(values.authTechnologies),
  cloudProvider: oneOf(values.cloudProviders),
  environment: oneOf(values.environments),
};

const assetFields = {
  id: uuid,
  name: text,
  type: oneOf(values.assetTypes),
  class: oneOf(values.assetClasses),
  uri: { type: 'string', pattern: '^asset://' },
  createdAt: time,
};

const assetRelations = {
  service: named('AssetService'),
  frontend: named('AssetFrontend'),
  host: named('AssetHost'),
};

const assets: Record<string, JsonSchema> = {
  Asset: object(
    { ...assetFields, scans: listOf(named('ResourceScan')), events: listOf(named('ResourceScanEvent')) },
    {
      ...assetRelations,
      repository: named('AssetRepository'),
      schema: named('AssetSchema'),
      tags: listOf(named('Tag')),
    },
  ),
  IssueAsset: object(assetFields, { ...assetRelations, cloudComponent: anyObject, tags: listOf(named('Tag')) }),
  Tag: object({ id: uuid, name: text }, { color: text }),
  AssetService: object({ id: uuid, url: text, type: oneOf(values.assetServiceTypes) }, technology),
  AssetFrontend: object(
    {
      id: uuid,
      type: oneOf(values.assetFrontendTypes),
      url: text,
      ips: listOf(text),
      regionCountryCodes: listOf(text),
      tls: truth,
    },
    technology,
  ),
  AssetHost: object({
    id: uuid,
    type: oneOf(values.assetHostTypes),
    address: text,
    ips: listOf(text),
    regionCountryCodes: listOf(text),
    ports: listOf(object({ port: number, protocols: listOf(text) })),
    records: listOf(object({ id: uuid, type: text, value: text })),
  }),
  AssetRepository: object(
    { id: uuid, type: oneOf(values.assetRepositoryTypes), url: text },
    {
      name: text,
      visibility: oneOf(values.repositoryVisibilities),
      archived: truth,
      lastCommitSha: text,
      lastCommitDate: time,
    },
  ),
  AssetSchema: object(
    { id: uuid, type: oneOf(values.assetSchemaTypes), key: text, storageKey: text },
    { source: oneOf(values.schemaSources) },
  ),
};

/** Where an issue is, in both variants. */
export const place = object({}, { path: text, startLine: number, endLine: number, url: text });

const issues: Record<string, JsonSchema> = {
  Issue: object(
    {
      id: uuid,
      name: text,
      fullName: text,
      severity: oneOf(values.issueSeverities),
      category: oneOf(values.issueCategories),
      status: oneOf(values.issueStatuses),
      createdAt: time,
      context: text,
      alertUid: text,
      securityTestUid: text,
      assetId: uuid,
      asset: named('IssueAsset'),
      targets: listOf(named('ResourceScanTarget')),
      events: listOf(named('ResourceScanEvent')),
    },
    { scan: named('ResourceScan'), application: named('Application'), place: text, location: named('Place') },
  ),
  Place: place,
  ResourceScanTarget: object(
    { id: uuid, targetUid: text },
    {
      scanId: uuid,
      apiRoute: named('ResourceScanTargetAPIRoute'),
      codeFile: named('ResourceScanTargetCodeFile'),
      graphqlResolver: named('ResourceScanTargetGraphQLResolver'),
      webPage: named('ResourceScanTargetWebPage'),
      webCrawledUrl: named('ResourceScanTargetWebCrawledUrl'),
    },
  ),
  ResourceScanTargetAPIRoute: object(
    { id: uuid, operation: oneOf(values.apiRouteOperations), name: text },
    { parameters: anyObject, returnType: text, coverage: oneOf(values.coverages) },
  ),
  ResourceScanTargetCodeFile: object({ id: uuid, language: text, path: text }),
  ResourceScanTargetGraphQLResolver: object(
    { id: uuid, parent: text, name: text },
    { parameters: anyObject, returnType: text },
  ),
  ResourceScanTargetWebPage: object({ id: uuid, url: text, visits: number }),
  ResourceScanTargetWebCrawledUrl: object({ id: uuid, url: text }),
};

/** The fields of a scan in both variants. */
export const scanFields = {
  id: uuid,
  status: oneOf(values.scanStatuses),
  kind: oneOf(values.scanKinds),
  createdAt: time,
  updatedAt: time,
  progressRatio: { type: 'number', minimum: 0, maximum: 1 },
  applicationId: uuid,
};

/** A profile, the same in both variants. */
export const profile = object({
  id: uuid,
  name: text,
  scannerKind: oneOf(values.scanKinds),
  type: oneOf(values.profileTypes),
  createdAt: time,
  updatedAt: time,
});

const others: Record<string, JsonSchema> = {
  ResourceScan: object(
    { ...scanFields, application: named('Application'), assetIds: listOf(uuid) },
    {
      finishedAt: time,
      branch: text,
      commit: text,
      pullRequest: text,
      tool: text,
      toolVersion: text,
      failureReason: text,
    },
  ),
  ResourceScanEvent: object({
    id: uuid,
    title: text,
    description: text,
    level: oneOf(values.eventLevels),
    stage: oneOf(values.eventStages),
    createdAt: time,
    attachments: listOf(anyObject),
  }),
  Application: profile,
  Proxy: object(
    { id: uuid, name: text, type: oneOf(values.locationTypes), target: text, enabled: truth, createdAt: time },
    { ip: text, region: text },
  ),
  Integration: object({
    id: uuid,
    name: text,
    kind: oneOf(values.integrationKinds),
    valid: truth,
    parameters: anyObject,
    createdAt: time,
    updatedAt: time,
  }),
};

const names = ['Issue', 'Asset', 'ResourceScan', 'Application', 'Proxy', 'Integration'];

/** The default variant of a payload, as JSON Schema. */
export const defaultSchema = payloadSchema('default', names, { ...issues, ...assets, ...others });
