import type { IntegrationKind } from '../vocabulary.js';

const longestName = 40;

/** Names for the place of a service and the account that uses it, in integrations of any kind. */
const ofEveryKind = `
  name label title type provider
  url base-url api-url endpoint host hostname port protocol scheme domain region environment version api-version
  enabled tls ssl secure start-tls verify-tls timeout timeout-ms timeout-seconds
  id username user email account account-id account-name organization organization-id organization-name project
  project-id project-name
  server servers accounts projects organizations regions connection settings options`;

/** These hold objects and lists of objects; a text there may contain any settings, and so secrets. */
const containers = 'accounts connection settings options headers smtp';
const hosts = 'server servers';
const mailboxes = `
  id name account-id account-name email user username account recipients recipient to cc bcc from reply-to sender
  smtp-user smtp-username client-email account-email`;

/** How much of a harmless parameter may show: nothing itself, a host with its port, an e-mail address too, or words. */
export type HarmlessUse = 'container' | 'host' | 'mailbox' | 'words';

const ofCodeHosts = `
  organization-url org owner group namespace workspace repository repository-id repository-url repositories repo repos
  branch branches default-branch app-id client-id installation-id`;

/**
 * The parameters that may show: an allow-list, since nobody can list all possible names of secrets. Unspecified: which
 * they are, by kind.
 */
const byKind: Record<IntegrationKind, string> = {
  CODEHOST_A_API_KEY: ofCodeHosts,
  CODEHOST_B_API_KEY: ofCodeHosts,
  CODEHOST_C_API_KEY: ofCodeHosts,
  WEBHOOK: 'method content-type headers',
  EMAIL: `recipients recipient to cc bcc from reply-to sender subject encryption
    smtp smtp-host smtp-port smtp-user smtp-username`,
  AWS: 'role-arn service bucket buckets availability-zone partition',
  AZURE: 'tenant tenant-id client-id subscription subscription-id resource-group location',
  GCP: 'project-number client-email client-id zone zones location dataset bucket',
  CLOUDFLARE: 'zone zones zone-id zone-name account-email',
  DNS: 'zone zones zone-id zone-name nameserver nameservers domains record-type ttl',
  CUSTOM: '',
};

/** A name without case and separators: `API_URL`, `apiUrl` and `api-url` are one. */
function plain(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

function namesIn(list: string): string[] {
  return list.trim().split(/\s+/).map(plain);
}

const uses = new Map<string, HarmlessUse>([
  ...namesIn(containers).map((name) => [name, 'container'] as const),
  ...namesIn(hosts).map((name) => [name, 'host'] as const),
  ...namesIn(mailboxes).map((name) => [name, 'mailbox'] as const),
]);

const harmless = new Map(
  Object.entries(byKind).map(([kind, own]) => [kind, new Set([...namesIn(ofEveryKind), ...namesIn(own)])]),
);

/** How much of a parameter of this name may show in an integration of this kind; null if it may be a secret. */
export function harmlessUse(kind: IntegrationKind, name: string): HarmlessUse | null {
  if (name.length > longestName) return null;
  const key = plain(name);
  return harmless.get(kind)?.has(key) ? (uses.get(key) ?? 'words') : null;
}
