import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  IntegerField,
  ListField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import {
  type AssetFrontendType,
  assetFrontendTypes,
  type AssetHostType,
  assetHostTypes,
  type AssetRepositoryType,
  assetRepositoryTypes,
  type AssetSchemaType,
  assetSchemaTypes,
  type AssetServiceType,
  assetServiceTypes,
  type AuthProtocol,
  authProtocols,
  authTechnologies,
  type AuthTechnology,
  type CloudProvider,
  cloudProviders,
  type Environment,
  environments,
  type Framework,
  frameworks,
  repositoryVisibilities,
  type RepositoryVisibility,
  type SchemaSource,
  schemaSources,
} from '../vocabulary.js';

// Unspecified: lengths of the texts, and how many entries a list may have. Generous bounds.
const url = { minLength: 1, maxLength: 2_048, pattern: /^\S+$/, patternHint: 'Input should be a URL' };
const address = {
  minLength: 1,
  maxLength: 2_048,
  pattern: /^\S+$/,
  patternHint: 'Input should be a hostname or an IP address',
};
const key = { minLength: 1, maxLength: 2_048 };
const shortText = { kind: 'string', minLength: 1, maxLength: 100 } as const;
const maybe = { optional: true, nullable: true };
const maxPort = 65_535;
const maxIps = 1_000;
const maxRegions = 300;
const maxPorts = 1_000;
const maxProtocols = 20;
const maxRecords = 1_000;

/** The fields that services and frontends share. */
class Deployment {
  @EnumField(frameworks, maybe)
  framework?: Framework | null;
  @EnumField(authProtocols, maybe)
  authProtocol?: AuthProtocol | null;
  @EnumField(authTechnologies, maybe)
  authTechnology?: AuthTechnology | null;
  @EnumField(cloudProviders, maybe)
  cloudProvider?: CloudProvider | null;
  @EnumField(environments, maybe)
  environment?: Environment | null;
}

export class AssetServiceInput extends Deployment {
  @StringField({ ...url, example: 'https://api.example.com' })
  url: string;
  @EnumField(assetServiceTypes)
  type: AssetServiceType;
}

export class AssetService extends AssetServiceInput {
  @UuidField()
  id: string;
}

export class AssetFrontendInput extends Deployment {
  @EnumField(assetFrontendTypes)
  type: AssetFrontendType;
  @StringField({ ...url, example: 'https://shop.example.com' })
  url: string;
  @ListField(shortText, { maxItems: maxIps, example: ['203.0.113.24'] })
  ips: string[];
  @ListField(shortText, { maxItems: maxRegions, example: ['DE'] })
  regionCountryCodes: string[];
  @BooleanField()
  tls: boolean;
}

export class AssetFrontend extends AssetFrontendInput {
  @UuidField()
  id: string;
}

export class AssetHostPort {
  @IntegerField({ min: 0, max: maxPort, example: 443 })
  port: number;
  @ListField(shortText, { maxItems: maxProtocols, description: 'Such as HTTP and HTTPS', example: ['HTTPS'] })
  protocols: string[];
}

export class AssetHostRecordInput {
  @StringField({ minLength: 1, maxLength: 32, example: 'CNAME' })
  type: string;
  @StringField({ maxLength: 65_535, example: 'shop.cdn.example.com' })
  value: string;
}

export class AssetHostRecord extends AssetHostRecordInput {
  @UuidField()
  id: string;
}

/** A host without its records. */
class Host {
  @EnumField(assetHostTypes)
  type: AssetHostType;
  @StringField({ ...address, example: 'shop.example.com' })
  address: string;
  @ListField(shortText, { maxItems: maxIps, example: ['203.0.113.24'] })
  ips: string[];
  @ListField(shortText, { maxItems: maxRegions, example: ['DE'] })
  regionCountryCodes: string[];
  @ArrayField(() => AssetHostPort, { maxItems: maxPorts })
  ports: AssetHostPort[];
}

export class AssetHostInput extends Host {
  @ArrayField(() => AssetHostRecordInput, { maxItems: maxRecords })
  records: AssetHostRecordInput[];
}

export class AssetHost extends Host {
  @UuidField()
  id: string;
  @ArrayField(() => AssetHostRecord)
  records: AssetHostRecord[];
}

export class AssetRepositoryInput {
  @EnumField(assetRepositoryTypes)
  type: AssetRepositoryType;
  @StringField({ ...url, example: 'https://code.example.com/acme/shop' })
  url: string;
  @StringField({ ...maybe, maxLength: 200 })
  name?: string | null;
  @EnumField(repositoryVisibilities, maybe)
  visibility?: RepositoryVisibility | null;
  @BooleanField(maybe)
  archived?: boolean | null;
  @StringField({ ...maybe, maxLength: 100 })
  lastCommitSha?: string | null;
  @DateTimeField(maybe)
  lastCommitDate?: string | null;
}

export class AssetRepository extends AssetRepositoryInput {
  @UuidField()
  id: string;
}

/** A schema without its storage key. */
class Schema {
  @EnumField(assetSchemaTypes)
  type: AssetSchemaType;
  @StringField({ ...key, description: 'URL or generated key', example: 'https://api.example.com/openapi.json' })
  key: string;
  @EnumField(schemaSources, maybe)
  source?: SchemaSource | null;
}

export class AssetSchemaInput extends Schema {
  @StringField({ ...maybe, ...key, description: 'Key of the stored artifact; generated if omitted' })
  storageKey?: string | null;
}

export class AssetSchema extends Schema {
  @UuidField()
  id: string;
  @StringField({ description: 'Key of the stored artifact', example: 'schemas/openapi-0199a001.json' })
  storageKey: string;
}
