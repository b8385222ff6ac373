import type { OrganizationRole } from '../../../../../src/platform/auth/organization-caller.js';
import type {
  IntegrationKind,
  LocationType,
  ProfileType,
  ScanKind,
  WorkflowTriggerType,
} from '../../../../../src/scanning/vocabulary.js';
import type { PayloadRoot } from '../../../../../src/scanning/workflows/payload-roots.js';
import type { WorkflowConditions } from '../../../../../src/scanning/workflows/workflows.dto.js';

/** The organization that owns everything scanned in the demo. */
export const companyName = 'Harbour Outfitters';

const apiUrl = 'https://api.harbour-outfitters.example';
export const webUrl = 'https://shop.harbour-outfitters.example';
export const restUrl = `${apiUrl}/v1`;
export const stagingUrl = 'https://api.staging.harbour-outfitters.example/v1';
export const graphqlUrl = `${apiUrl}/graphql`;

/** The demo's users who work here. The shopper, whose password is public, may only look. */
export const members: readonly { username: string; role: OrganizationRole }[] = [
  { username: 'kenji.t', role: 'admin' },
  { username: 'priya_nair', role: 'member' },
  { username: 'demo', role: 'viewer' },
];

/** Another organization, which would like to have the shopper. */
export const partner = { name: 'Tidewater Analytics', admin: 'nora.lindqvist' };

export const profiles = [
  // It has no scans yet.
  { name: 'Partner portal', scannerKind: 'FRONTEND_DAST', type: 'REST' },
  { name: 'Storefront REST API', scannerKind: 'BLST_REST', type: 'REST' },
  { name: 'Catalogue GraphQL', scannerKind: 'BLST_GRAPHQL', type: 'GRAPHQL' },
  { name: 'Web shop front end', scannerKind: 'FRONTEND_DAST', type: 'REST' },
  { name: 'Warehouse gRPC', scannerKind: 'ASM_GRPC', type: 'GRPC' },
  { name: 'Attack surface', scannerKind: 'ASM_DNS', type: 'REST' },
  { name: 'Source code', scannerKind: 'ASM_CODE_PROJECT', type: 'REST' },
] as const satisfies readonly { name: string; scannerKind: ScanKind; type: ProfileType }[];
export type ProfileName = (typeof profiles)[number]['name'];

export const tags = [
  { name: 'production', color: '#2f8c8c' },
  { name: 'staging', color: '#e6823c' },
  { name: 'payments', color: '#c94443' },
  { name: 'customer data', color: '#7c5ea8' },
  { name: 'internet facing', color: '#4178b8' },
  { name: 'legacy', color: null },
] as const;
export type TagName = (typeof tags)[number]['name'];

export const locations = [
  {
    name: 'Platform, Frankfurt',
    type: 'PLATFORM',
    target: 'eu-central.scanners.example',
    ip: '198.51.100.12',
    region: 'eu-central',
    enabled: true,
  },
  {
    name: 'Platform, Virginia',
    type: 'PLATFORM',
    target: 'us-east.scanners.example',
    ip: '198.51.100.87',
    region: 'us-east',
    enabled: true,
  },
  {
    name: 'Warehouse network',
    type: 'PRIVATE',
    target: 'https://relay.warehouse.harbour-outfitters.example:8443',
    ip: null,
    region: null,
    enabled: true,
  },
  {
    name: 'Old office',
    type: 'PRIVATE',
    target: 'relay.office.harbour-outfitters.example',
    ip: '192.0.2.40',
    region: null,
    enabled: false,
  },
] as const satisfies readonly { name: string; type: LocationType; [field: string]: unknown }[];
export type LocationName = (typeof locations)[number]['name'];

interface DemoIntegration {
  name: string;
  kind: IntegrationKind;
  valid: boolean;
  parameters: Record<string, unknown>;
}

/** Their credentials look real and open nothing. */
export const integrations: readonly DemoIntegration[] = [
  {
    name: 'Code host',
    kind: 'CODEHOST_A_API_KEY',
    valid: true,
    parameters: { apiKey: 'demo-codehost-key-7f3a91c2', organization: 'harbour-outfitters' },
  },
  {
    name: 'Cloud account',
    kind: 'AWS',
    valid: true,
    parameters: {
      accountId: '000000000000',
      region: 'eu-central-1',
      accessKeyId: 'DEMO-ACCESS-KEY-ID',
      secretAccessKey: 'demo-secret-access-key-51d0',
    },
  },
  {
    name: 'DNS zone',
    kind: 'CLOUDFLARE',
    valid: false,
    parameters: { apiToken: 'demo-dns-token-expired-0b77', zone: 'harbour-outfitters.example' },
  },
  {
    name: 'Security mailbox',
    kind: 'EMAIL',
    valid: true,
    parameters: { recipients: ['security@harbour-outfitters.example'] },
  },
];

/** Where `npm run demo:receiver` listens, and the secret by which it recognizes the demo's deliveries. */
export const receiverUrl = 'http://127.0.0.1:4010/hook';
/** Where the receiver takes what is meant for a chat. */
export const chatUrl = 'http://127.0.0.1:4010/chat';
export const receiverSecret = `whsec_${Buffer.from('Harbour Outfitters, the demo shop').toString('base64')}`;

interface DemoWorkflow {
  name: string;
  enabled: boolean;
  trigger: WorkflowTriggerType;
  cron: string | null;
  timeZone: string;
  conditions: WorkflowConditions;
  resources: PayloadRoot[] | null;
  /** Whether it tells a chat beside. */
  notifies?: true;
}

export const workflows: readonly DemoWorkflow[] = [
  {
    name: 'Serious new issues to the receiver',
    enabled: true,
    trigger: 'NEW_ISSUE',
    cron: null,
    timeZone: 'UTC',
    conditions: { severities: ['CRITICAL', 'HIGH'] },
    resources: null,
  },
  {
    name: 'Open issues, every Monday',
    enabled: false,
    trigger: 'SCHEDULE',
    cron: '0 7 * * 1',
    timeZone: 'Europe/Berlin',
    conditions: { issueStatuses: ['OPEN', 'MANUAL_REVIEW'] },
    resources: ['issues', 'assets'],
    notifies: true,
  },
  {
    name: 'Everything, by hand',
    enabled: true,
    trigger: 'MANUAL',
    cron: null,
    timeZone: 'UTC',
    conditions: {},
    resources: null,
  },
];
