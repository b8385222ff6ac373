/**
 * The values of every enum of the scanning wing, each list followed by its type: those of the interface description, and
 * our own where it gives only examples.
 */

export const eventLevels = ['ERROR', 'WARNING', 'INFO', 'DEBUG'] as const;
export type EventLevel = (typeof eventLevels)[number];
export const eventStages = ['CONFIGURATION', 'EXECUTION', 'AGENT_REASONING', 'AGENT_ACTION'] as const;
export type EventStage = (typeof eventStages)[number];
export const attachmentTypes = ['EXCHANGE', 'SNIPPET', 'SCREENSHOT'] as const;
export type AttachmentType = (typeof attachmentTypes)[number];

export const issueSeverities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const;
export type IssueSeverity = (typeof issueSeverities)[number];
export const issueStatuses = ['OPEN', 'RESOLVED', 'MANUAL_REVIEW', 'IGNORED', 'FALSE_POSITIVE'] as const;
export type IssueStatus = (typeof issueStatuses)[number];

export const issueCategories = [
  'ACCESS_CONTROL',
  'CONFIGURATION',
  'CUSTOM',
  'INFORMATION_DISCLOSURE',
  'INJECTION',
  'PROTOCOL',
  'REQUEST_FORGERY',
  'RESOURCE_LIMITATION',
  'SCHEMA',
  'SENSITIVE_DATA',
] as const;
export type IssueCategory = (typeof issueCategories)[number];
/** The category of an import's issue whose report gives an unknown one. */
export const fallbackIssueCategory: IssueCategory = 'CUSTOM';

export const assetTypes = [
  'AWS_LAMBDA',
  'BURPSUITE_EXPORT',
  'CODEHOST_A_REPOSITORY',
  'CODEHOST_B_REPOSITORY',
  'CODEHOST_C_REPOSITORY',
  'CODE_PROJECT',
  'DNS',
  'GRAPHQL',
  'GRAPHQL_SCHEMA',
  'GRPC',
  'HAR_EXPORT',
  'INSOMNIA',
  'IPV4',
  'IPV4_RANGE',
  'IPV6',
  'MCP',
  'OPENAPI',
  'PACKAGE',
  'POSTMAN_COLLECTION',
  'POSTMAN_ENVIRONMENT',
  'REST',
  'SOAP',
  'SOFTWARE',
  'WEBAPP',
  'WEBSOCKET',
  'WP_JSON',
] as const;
export type AssetType = (typeof assetTypes)[number];

export const assetClasses = [
  'API_SERVICE',
  'CDN',
  'CLOUD_COMPONENT',
  'CLOUD_HOSTING',
  'CODE_PROJECT',
  'CSPM',
  'DEV_TOOLS',
  'FRONTEND',
  'HOST',
  'NETWORK',
  'REPOSITORY',
  'SCHEMA',
  'SOURCE_CODE_MANAGEMENT',
  'TECHNOLOGY',
] as const;
export type AssetClass = (typeof assetClasses)[number];

export const assetServiceTypes = ['REST', 'GRAPHQL', 'GRPC', 'WEBSOCKET', 'MCP'] as const;
export type AssetServiceType = (typeof assetServiceTypes)[number];
export const assetFrontendTypes = ['WEBAPP'] as const;
export type AssetFrontendType = (typeof assetFrontendTypes)[number];
export const assetHostTypes = ['DNS', 'IPV4', 'IPV6'] as const;
export type AssetHostType = (typeof assetHostTypes)[number];

export const assetRepositoryTypes = [
  'CODEHOST_A_REPOSITORY',
  'CODEHOST_B_REPOSITORY',
  'CODEHOST_C_REPOSITORY',
] as const;
export type AssetRepositoryType = (typeof assetRepositoryTypes)[number];

// Unspecified: what is "similar" to the three in the interface description. The asset types that describe an API.
export const assetSchemaTypes = [
  'BURPSUITE_EXPORT',
  'GRAPHQL_SCHEMA',
  'HAR_EXPORT',
  'INSOMNIA',
  'OPENAPI',
  'POSTMAN_COLLECTION',
  'POSTMAN_ENVIRONMENT',
  'WP_JSON',
] as const;
export type AssetSchemaType = (typeof assetSchemaTypes)[number];

export const environments = ['PRODUCTION', 'STAGING', 'DEVELOPMENT'] as const;
export type Environment = (typeof environments)[number];
export const repositoryVisibilities = ['PUBLIC', 'PRIVATE', 'INTERNAL'] as const;
export type RepositoryVisibility = (typeof repositoryVisibilities)[number];
export const schemaSources = ['UPLOADED', 'GENERATED', 'FOUND'] as const;
export type SchemaSource = (typeof schemaSources)[number];

export const frameworks = [
  'FRONTEND_ANGULAR',
  'FRONTEND_DJANGO',
  'FRONTEND_JAVASCRIPT',
  'FRONTEND_JQUERY',
  'FRONTEND_REACT',
  'FRONTEND_SVELTE',
  'FRONTEND_VUE',
  'GRAPHQL_APOLLO',
  'GRAPHQL_GRAPHQLYOGA',
  'REST_ASP_NET',
  'REST_CLOJURE',
  'REST_DJANGO',
  'REST_EXPRESS_JS',
  'REST_FASTAPI',
  'REST_FLASK',
  'REST_GIN',
  'REST_HONO',
  'REST_LARAVEL',
  'REST_NESTJS',
  'REST_NEXTJS',
  'REST_NUXTJS',
  'REST_RUBY_ON_RAILS',
  'REST_SCALA_PLAY',
  'REST_SPRING_BOOT',
  'REST_SYMFONY',
  'UNKNOWN',
] as const;
export type Framework = (typeof frameworks)[number];

export const authProtocols = [
  'API_KEY',
  'BASIC',
  'DIGEST',
  'HMAC',
  'LDAP',
  'MTLS',
  'OAUTH',
  'OIDC',
  'SAML',
  'UNKNOWN',
] as const;
export type AuthProtocol = (typeof authProtocols)[number];

export const authTechnologies = [
  'AUTH0',
  'AWS_IAM',
  'AZURE_ACTIVE_DIRECTORY',
  'COGNITO',
  'KEYCLOAK',
  'UNKNOWN',
] as const;
export type AuthTechnology = (typeof authTechnologies)[number];

export const cloudProviders = [
  'AKAMAI',
  'ALIBABA',
  'AWS',
  'AZURE',
  'CLOUDFLARE',
  'DIGITALOCEAN',
  'FASTLY',
  'GCP',
  'GRAVITEE',
  'HEROKU',
  'IBM',
  'LINODE',
  'ORACLE',
  'OVH',
  'SCALEWAY',
  'TENCENT',
  'UCLOUD',
  'UNKNOWN',
  'VERCEL',
] as const;
export type CloudProvider = (typeof cloudProviders)[number];

export const coverages = [
  'BROKEN_PIPE',
  'NOT_FOUND',
  'OK',
  'RATE_LIMIT',
  'REDIRECTION',
  'REPEATER_ERROR',
  'SERVER_ERROR',
  'TIMEOUT',
  'UNAUTHORIZED',
  'UNKNOWN',
  'VALIDATION_ERROR',
] as const;
export type Coverage = (typeof coverages)[number];

// Unspecified: the "others" of an API route's operation. The methods of RFC 9110, section 9.3, and PATCH (RFC 5789).
export const apiRouteOperations = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
] as const;
export type ApiRouteOperation = (typeof apiRouteOperations)[number];

export const scanStatuses = ['STARTING', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELED'] as const;
export type ScanStatus = (typeof scanStatuses)[number];

/** Also the kinds of scanner that a profile is for. */
export const scanKinds = [
  'ASM_AWS_LAMBDA',
  'ASM_BURPSUITE_EXPORT',
  'ASM_CODEHOST_A_REPOSITORY',
  'ASM_CODEHOST_B_REPOSITORY',
  'ASM_CODEHOST_C_REPOSITORY',
  'ASM_CODE_PROJECT',
  'ASM_DNS',
  'ASM_GRAPHQL',
  'ASM_GRAPHQL_SCHEMA',
  'ASM_GRPC',
  'ASM_HAR_EXPORT',
  'ASM_INSOMNIA',
  'ASM_IPV4',
  'ASM_IPV4_RANGE',
  'ASM_IPV6',
  'ASM_MCP',
  'ASM_OPENAPI',
  'ASM_PACKAGE',
  'ASM_POSTMAN_COLLECTION',
  'ASM_POSTMAN_ENVIRONMENT',
  'ASM_REST',
  'ASM_SOAP',
  'ASM_SOFTWARE',
  'ASM_WEBAPP',
  'ASM_WEBSOCKET',
  'ASM_WP_JSON',
  'AUTOMATED_PENTEST',
  'AUTOMATED_PENTEST_GRAPHQL',
  'AUTOMATED_PENTEST_REST',
  'AUTOMATED_PENTEST_WEBAPP',
  'BLST_GRAPHQL',
  'BLST_REST',
  'FRONTEND_DAST',
] as const;
export type ScanKind = (typeof scanKinds)[number];

export const profileTypes = ['REST', 'GRAPHQL', 'GRPC'] as const;
export type ProfileType = (typeof profileTypes)[number];
export const locationTypes = ['PLATFORM', 'PRIVATE'] as const;
export type LocationType = (typeof locationTypes)[number];

export const integrationKinds = [
  'CODEHOST_A_API_KEY',
  'CODEHOST_B_API_KEY',
  'CODEHOST_C_API_KEY',
  'WEBHOOK',
  'EMAIL',
  'AWS',
  'AZURE',
  'GCP',
  'CLOUDFLARE',
  'DNS',
  'CUSTOM',
] as const;
export type IntegrationKind = (typeof integrationKinds)[number];

/** The events that run workflows; a schedule or a user can run them too. */
export const eventTriggerTypes = [
  'ASSET_FOUND',
  'ASSET_UPDATED',
  'NEW_ISSUE',
  'ISSUE_UPDATED',
  'SCAN_STARTED',
  'SCAN_COMPLETED',
  'SCAN_FAILED',
  'INTEGRATION_FAILED',
  'LOCATION_DOWN',
] as const;
export type EventTriggerType = (typeof eventTriggerTypes)[number];

export const workflowTriggerTypes = [...eventTriggerTypes, 'MANUAL', 'SCHEDULE'] as const;
export type WorkflowTriggerType = (typeof workflowTriggerTypes)[number];

/** The last line that a file can have here. */
export const maxLine = 2_147_483_647;
