import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import type { AssetClass, AssetType } from '../vocabulary.js';
import type {
  AssetFrontend,
  AssetFrontendInput,
  AssetHost,
  AssetHostInput,
  AssetRepository,
  AssetRepositoryInput,
  AssetSchema,
  AssetSchemaInput,
  AssetService,
  AssetServiceInput,
} from './asset-details.dto.js';
import { assetUri } from './asset-uri.js';

/** The detail of an asset, under the name that its class gives; all null for classes without one. */
export interface Details {
  service: AssetService | null;
  frontend: AssetFrontend | null;
  host: AssetHost | null;
  repository: AssetRepository | null;
  schema: AssetSchema | null;
}

export interface DetailInputs {
  service?: AssetServiceInput;
  frontend?: AssetFrontendInput;
  host?: AssetHostInput;
  repository?: AssetRepositoryInput;
  schema?: AssetSchemaInput;
}

/** An asset before it has an id. */
export interface AssetDraft extends DetailInputs {
  name: string;
  type: AssetType;
  class: AssetClass;
  sourceUrl?: string | null;
}

/** An asset as it is written. */
export interface AssetRecord extends Details {
  id: string;
  name: string;
  type: AssetType;
  class: AssetClass;
  uri: string;
  sourceUrl: string | null;
}

export const detailOfClass: Partial<Record<AssetClass, keyof Details>> = {
  API_SERVICE: 'service',
  FRONTEND: 'frontend',
  HOST: 'host',
  REPOSITORY: 'repository',
  SCHEMA: 'schema',
};

/** The uri of an asset: of its detail's url, address or key, else of its name. */
export function uriOf(asset: AssetDraft | AssetRecord): string {
  const { service, frontend, host, repository, schema } = asset;
  const address = service?.url ?? frontend?.url ?? host?.address ?? repository?.url ?? schema?.key ?? asset.name;
  return assetUri(asset.class, address);
}

const noDetails: Details = { service: null, frontend: null, host: null, repository: null, schema: null };

/** A new asset from a draft. */
export function toRecord(draft: AssetDraft): AssetRecord {
  const { name, type, class: assetClass, sourceUrl = null } = draft;
  return {
    id: uuidV7(),
    name,
    type,
    class: assetClass,
    uri: uriOf(draft),
    sourceUrl,
    ...withDetails(noDetails, draft),
  };
}

/** The details after a change. Their ids stay, as do those of unchanged host records. */
export function withDetails(before: Details, given: DetailInputs): Details {
  return {
    service: given.service ? toService(given.service, before.service) : before.service,
    frontend: given.frontend ? toFrontend(given.frontend, before.frontend) : before.frontend,
    host: given.host ? toHost(given.host, before.host) : before.host,
    repository: given.repository ? toRepository(given.repository, before.repository) : before.repository,
    schema: given.schema ? toSchema(given.schema, before.schema) : before.schema,
  };
}

function deploymentOf(input: AssetServiceInput | AssetFrontendInput) {
  const { framework = null, authProtocol = null, authTechnology = null, cloudProvider = null } = input;
  return { framework, authProtocol, authTechnology, cloudProvider, environment: input.environment ?? null };
}

function toService(input: AssetServiceInput, before: AssetService | null): AssetService {
  return { id: before?.id ?? uuidV7(), url: input.url, type: input.type, ...deploymentOf(input) };
}

function toFrontend(input: AssetFrontendInput, before: AssetFrontend | null): AssetFrontend {
  const { type, url, ips, regionCountryCodes, tls } = input;
  return { id: before?.id ?? uuidV7(), type, url, ...deploymentOf(input), ips, regionCountryCodes, tls };
}

function toHost(input: AssetHostInput, before: AssetHost | null): AssetHost {
  const known = new Map(before?.records.map(({ id, type, value }) => [`${type} ${value}`, id]));
  const records = input.records.map(({ type, value }) => {
    const id = known.get(`${type} ${value}`) ?? uuidV7();
    known.delete(`${type} ${value}`);
    return { id, type, value };
  });
  const ports = input.ports.map(({ port, protocols }) => ({ port, protocols }));
  const { type, address, ips, regionCountryCodes } = input;
  return { id: before?.id ?? uuidV7(), type, address, ips, regionCountryCodes, ports, records };
}

function toRepository(input: AssetRepositoryInput, before: AssetRepository | null): AssetRepository {
  const { type, url, name = null, visibility = null, archived = null, lastCommitSha = null, lastCommitDate } = input;
  return {
    id: before?.id ?? uuidV7(),
    type,
    url,
    name,
    visibility,
    archived,
    lastCommitSha,
    lastCommitDate: lastCommitDate ? new Date(lastCommitDate).toISOString() : null,
  };
}

function toSchema(input: AssetSchemaInput, before: AssetSchema | null): AssetSchema {
  const id = before?.id ?? uuidV7();
  // Unspecified: the form of a storage key. The schema's id, in a folder of its own.
  const storageKey = input.storageKey ?? before?.storageKey ?? `schemas/${id}`;
  return { id, type: input.type, key: input.key, storageKey, source: input.source ?? null };
}
