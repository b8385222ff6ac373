import type { AssetDraft } from '../../../../../src/scanning/assets/asset-draft.js';
import type {
  AssetFrontendInput,
  AssetHostInput,
  AssetRepositoryInput,
  AssetServiceInput,
} from '../../../../../src/scanning/assets/asset-details.dto.js';
import type {
  AssetClass,
  AssetHostType,
  AssetRepositoryType,
  AssetSchemaType,
  AssetServiceType,
  AssetType,
  SchemaSource,
} from '../../../../../src/scanning/vocabulary.js';
import { graphqlUrl, restUrl, stagingUrl, type TagName, webUrl } from './company.js';

/** One thing that the demo's organization owns. Its uri ends in its address. */
export interface DemoAsset extends AssetDraft {
  address: string;
  tags: TagName[];
}

function service(
  name: string,
  type: AssetServiceType,
  url: string,
  tags: TagName[],
  deployment: Partial<AssetServiceInput>,
): DemoAsset {
  return { name, type, class: 'API_SERVICE', address: url, tags, service: { url, type, ...deployment } };
}

function frontend(name: string, url: string, tags: TagName[], deployment: Partial<AssetFrontendInput>): DemoAsset {
  const type = 'WEBAPP';
  const place = { ips: ['203.0.113.24', '2001:db8:40::24'], regionCountryCodes: ['DE'], tls: true };
  return { name, type, class: 'FRONTEND', address: url, tags, frontend: { type, url, ...deployment, ...place } };
}

function host(type: AssetHostType, address: string, tags: TagName[], more: Partial<AssetHostInput>): DemoAsset {
  const detail = { type, address, ips: [], regionCountryCodes: ['DE'], ports: [], records: [], ...more };
  return { name: address, type, class: 'HOST', address, tags, host: detail };
}

function repository(
  name: string,
  type: AssetRepositoryType,
  tags: TagName[],
  more: Partial<AssetRepositoryInput>,
): DemoAsset {
  const url = `https://code.example/harbour-outfitters/${name}`;
  const detail: AssetRepositoryInput = { type, url, name, visibility: 'PRIVATE', archived: false, ...more };
  const sourceUrl = `https://github.harbour-outfitters.example/harbour-outfitters/${name}`;
  return { name, type, class: 'REPOSITORY', address: url, tags, sourceUrl, repository: detail };
}

function schema(name: string, type: AssetSchemaType, key: string, source: SchemaSource): DemoAsset {
  const storageKey = `schemas/${name.toLowerCase().replaceAll(' ', '-')}`;
  return { name, type, class: 'SCHEMA', address: key, tags: [], schema: { type, key, storageKey, source } };
}

function plain(name: string, type: AssetType, assetClass: AssetClass, tags: TagName[] = []): DemoAsset {
  return { name, type, class: assetClass, address: name, tags };
}

const web = [
  { port: 80, protocols: ['HTTP'] },
  { port: 443, protocols: ['HTTP', 'HTTPS'] },
];

/** At least one asset of each class. No two have the same name. */
export const assets: readonly DemoAsset[] = [
  frontend('Partner portal', 'https://partners.harbour-outfitters.example', ['staging'], { environment: 'STAGING' }),
  service('Storefront API', 'REST', restUrl, ['production', 'payments', 'customer data', 'internet facing'], {
    framework: 'REST_NESTJS',
    authProtocol: 'OIDC',
    authTechnology: 'KEYCLOAK',
    cloudProvider: 'AWS',
    environment: 'PRODUCTION',
  }),
  service('Storefront API, staging', 'REST', stagingUrl, ['staging'], {
    framework: 'REST_NESTJS',
    authProtocol: 'BASIC',
    cloudProvider: 'AWS',
    environment: 'STAGING',
  }),
  service('Catalogue GraphQL', 'GRAPHQL', graphqlUrl, ['production', 'internet facing'], {
    framework: 'GRAPHQL_APOLLO',
    authProtocol: 'API_KEY',
    cloudProvider: 'AWS',
    environment: 'PRODUCTION',
  }),
  service('Warehouse stock feed', 'GRPC', 'https://stock.warehouse.harbour-outfitters.example:9090', ['production'], {
    authProtocol: 'MTLS',
    environment: 'PRODUCTION',
  }),
  service('Order updates', 'WEBSOCKET', 'wss://live.harbour-outfitters.example/orders', ['customer data'], {
    framework: 'REST_EXPRESS_JS',
    authProtocol: 'OAUTH',
    environment: 'PRODUCTION',
  }),
  service('Support assistant tools', 'MCP', 'https://assistant.harbour-outfitters.example/mcp', ['customer data'], {
    framework: 'REST_FASTAPI',
    authProtocol: 'API_KEY',
    cloudProvider: 'GCP',
    environment: 'DEVELOPMENT',
  }),
  frontend('Web shop', webUrl, ['production', 'internet facing', 'payments'], {
    framework: 'FRONTEND_REACT',
    authProtocol: 'OIDC',
    authTechnology: 'KEYCLOAK',
    cloudProvider: 'CLOUDFLARE',
    environment: 'PRODUCTION',
  }),
  frontend('Back office', 'https://office.harbour-outfitters.example', ['legacy', 'customer data'], {
    framework: 'FRONTEND_JQUERY',
    authProtocol: 'LDAP',
    environment: 'PRODUCTION',
  }),
  host('DNS', 'shop.harbour-outfitters.example', ['internet facing'], {
    ips: ['203.0.113.24', '2001:db8:40::24'],
    ports: web,
    records: [
      { type: 'A', value: '203.0.113.24' },
      { type: 'AAAA', value: '2001:db8:40::24' },
      { type: 'CAA', value: '0 issue "ca.example"' },
    ],
  }),
  host('DNS', 'old-blog.harbour-outfitters.example', ['legacy', 'internet facing'], {
    records: [{ type: 'CNAME', value: 'harbour-outfitters.blogs.example' }],
  }),
  host('IPV4', '203.0.113.24', ['internet facing'], {
    ips: ['203.0.113.24'],
    ports: [...web, { port: 22, protocols: ['SSH'] }],
  }),
  host('IPV6', '2001:db8:40::24', ['internet facing'], { ips: ['2001:db8:40::24'], ports: web }),
  repository('storefront-api', 'CODEHOST_A_REPOSITORY', ['production', 'payments'], {
    lastCommitSha: '4c1f7a90be2d63518f0c7a1e9b5d24c83f6a7710',
    lastCommitDate: '2026-02-03T09:12:44.000Z',
  }),
  repository('web-shop', 'CODEHOST_A_REPOSITORY', ['production'], {
    visibility: 'INTERNAL',
    lastCommitSha: 'a90b55d17e3c4f2886d1c0b7735fe214c69d8e02',
    lastCommitDate: '2026-02-05T16:40:02.000Z',
  }),
  repository('theme-kit', 'CODEHOST_B_REPOSITORY', [], {
    visibility: 'PUBLIC',
    lastCommitSha: 'd71e0c4495aa3b8f6627e1d9025cb84fa3e6107b',
    lastCommitDate: '2025-11-20T08:03:15.000Z',
  }),
  repository('warehouse-tools', 'CODEHOST_C_REPOSITORY', ['legacy'], {
    archived: true,
    lastCommitSha: null,
    lastCommitDate: null,
  }),
  schema('Storefront OpenAPI', 'OPENAPI', `${restUrl}/openapi.json`, 'FOUND'),
  schema('Catalogue schema', 'GRAPHQL_SCHEMA', `${graphqlUrl}?sdl`, 'GENERATED'),
  schema('Partner collection', 'POSTMAN_COLLECTION', 'partner-collection-2026-01', 'UPLOADED'),
  plain('Picture CDN', 'SOFTWARE', 'CDN', ['internet facing']),
  plain('order-export', 'AWS_LAMBDA', 'CLOUD_COMPONENT', ['payments']),
  plain('Production account', 'SOFTWARE', 'CLOUD_HOSTING', ['production']),
  plain('checkout-service', 'CODE_PROJECT', 'CODE_PROJECT', ['payments']),
  plain('Cloud posture', 'SOFTWARE', 'CSPM'),
  plain('Build pipeline', 'SOFTWARE', 'DEV_TOOLS'),
  plain('198.51.100.64/27', 'IPV4_RANGE', 'NETWORK'),
  plain('harbour-outfitters on the code host', 'SOFTWARE', 'SOURCE_CODE_MANAGEMENT'),
  plain('PostgreSQL 14', 'SOFTWARE', 'TECHNOLOGY', ['legacy']),
  plain('left-trim 1.2.0', 'PACKAGE', 'TECHNOLOGY'),
];
