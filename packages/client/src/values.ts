import type { AssetFilter } from '../../../../src/scanning/assets/assets.dto.js';
import type { ApiKeyCreate } from '../../../../src/scanning/organizations/api-keys.dto.js';
import type { InvitationCreate } from '../../../../src/scanning/organizations/invitations.dto.js';
import type { DeliveryList } from '../../../../src/scanning/webhook-export/deliveries.dto.js';
import type { ScanFilter } from '../../../../src/scanning/scans/scans.dto.js';
import type { IssueFilter } from '../../../../src/scanning/issues/issues.dto.js';
import type { EventConditions } from '../../../../src/scanning/scan-events/scan-events.dto.js';
import type { ImportQuery } from '../../../../src/scanning/reports/import-query.dto.js';

type One<List> = NonNullable<List> extends (infer Value)[] ? Value : never;

/** All values of an enum, checked by the compiler. */
function all<Value extends string>(values: Record<Value, true>): readonly Value[] {
  return Object.keys(values) as Value[];
}

export const levels = all<One<EventConditions['levels']>>({ ERROR: true, WARNING: true, INFO: true, DEBUG: true });

export const stages = all<One<EventConditions['stages']>>({
  CONFIGURATION: true,
  EXECUTION: true,
  AGENT_REASONING: true,
  AGENT_ACTION: true,
});

export const attachmentTypes = all<One<EventConditions['attachments']>>({
  EXCHANGE: true,
  SNIPPET: true,
  SCREENSHOT: true,
});

export const severities = all<One<IssueFilter['severities']>>({
  CRITICAL: true,
  HIGH: true,
  MEDIUM: true,
  LOW: true,
  INFO: true,
});

/** The values for a severity: TOOL gives it back to the scanner. */
export const newSeverities = [...severities, 'TOOL'] as const;

export const categories = all<One<IssueFilter['categories']>>({
  ACCESS_CONTROL: true,
  CONFIGURATION: true,
  CUSTOM: true,
  INFORMATION_DISCLOSURE: true,
  INJECTION: true,
  PROTOCOL: true,
  REQUEST_FORGERY: true,
  RESOURCE_LIMITATION: true,
  SCHEMA: true,
  SENSITIVE_DATA: true,
});

export const issueStatuses = all<One<IssueFilter['statuses']>>({
  OPEN: true,
  RESOLVED: true,
  MANUAL_REVIEW: true,
  IGNORED: true,
  FALSE_POSITIVE: true,
});

export const scanStatuses = all<One<ScanFilter['statuses']>>({
  STARTING: true,
  RUNNING: true,
  FINISHED: true,
  FAILED: true,
  CANCELED: true,
});

export const scanKinds = all<One<ScanFilter['kinds']>>({
  ASM_AWS_LAMBDA: true,
  ASM_BURPSUITE_EXPORT: true,
  ASM_CODEHOST_A_REPOSITORY: true,
  ASM_CODEHOST_B_REPOSITORY: true,
  ASM_CODEHOST_C_REPOSITORY: true,
  ASM_CODE_PROJECT: true,
  ASM_DNS: true,
  ASM_GRAPHQL: true,
  ASM_GRAPHQL_SCHEMA: true,
  ASM_GRPC: true,
  ASM_HAR_EXPORT: true,
  ASM_INSOMNIA: true,
  ASM_IPV4: true,
  ASM_IPV4_RANGE: true,
  ASM_IPV6: true,
  ASM_MCP: true,
  ASM_OPENAPI: true,
  ASM_PACKAGE: true,
  ASM_POSTMAN_COLLECTION: true,
  ASM_POSTMAN_ENVIRONMENT: true,
  ASM_REST: true,
  ASM_SOAP: true,
  ASM_SOFTWARE: true,
  ASM_WEBAPP: true,
  ASM_WEBSOCKET: true,
  ASM_WP_JSON: true,
  AUTOMATED_PENTEST: true,
  AUTOMATED_PENTEST_GRAPHQL: true,
  AUTOMATED_PENTEST_REST: true,
  AUTOMATED_PENTEST_WEBAPP: true,
  BLST_GRAPHQL: true,
  BLST_REST: true,
  FRONTEND_DAST: true,
});

export const assetClasses = all<One<AssetFilter['classes']>>({
  API_SERVICE: true,
  CDN: true,
  CLOUD_COMPONENT: true,
  CLOUD_HOSTING: true,
  CODE_PROJECT: true,
  CSPM: true,
  DEV_TOOLS: true,
  FRONTEND: true,
  HOST: true,
  NETWORK: true,
  REPOSITORY: true,
  SCHEMA: true,
  SOURCE_CODE_MANAGEMENT: true,
  TECHNOLOGY: true,
});

export const deliveryStatuses = all<One<DeliveryList['status']>>({
  PENDING: true,
  DELIVERED: true,
  RETRYING: true,
  EXHAUSTED: true,
  CANCELED: true,
});

export const roles = all<InvitationCreate['role']>({ viewer: true, member: true, admin: true });

export const keyRoles = all<ApiKeyCreate['role']>({ viewer: true, importer: true, member: true, admin: true });

export const reportFormats = all<NonNullable<ImportQuery['format']>>({
  sarif: true,
  'zap-json': true,
  'zap-xml': true,
  'nuclei-jsonl': true,
});

export const detailFormats = ['table', 'json'] as const;
export const listFormats = ['table', 'json', 'jsonl', 'csv'] as const;
