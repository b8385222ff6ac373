import type { Client } from 'pg';
import { hashApiKey, beginningOfApiKey } from '../../src/platform/crypto/api-keys.js';

/** The API key of the bench's organization, with an admin's rights. */
export const organizationKey = `ssk_${'bench'.repeat(8)}`;

export const profileCount = 8;
export const assetCount = 500;
export const scanCount = 200;

const kinds = { organization: 1, key: 2, profile: 3, asset: 4, scan: 5, issue: 6, target: 7 } as const;
type Kind = keyof typeof kinds;

/** The id of the `n`th thing of a kind. */
export function benchId(kind: Kind, n: number): string {
  return `0000000${kinds[kind]}-0000-7000-8000-${String(n).padStart(12, '0')}`;
}

/** The same in SQL; `n` is an expression. */
export function benchIdSql(kind: Kind, n: string): string {
  return `('0000000${kinds[kind]}-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;
}

export const organizationId = benchId('organization', 1);

const organizationSql = `
INSERT INTO organizations (id, name) VALUES ('${organizationId}', 'Bench');
INSERT INTO api_keys (id, organization_id, name, role, prefix, key_hash)
VALUES ('${benchId('key', 1)}', '${organizationId}', 'bench', 'admin',
        '${beginningOfApiKey(organizationKey)}', '${hashApiKey(organizationKey)}');
INSERT INTO profiles (id, organization_id, name, scanner_kind, type)
SELECT ${benchIdSql('profile', 'n')}, '${organizationId}', 'Profile ' || n, 'FRONTEND_DAST', 'REST'
  FROM generate_series(0, ${profileCount - 1}) AS n;
INSERT INTO assets (id, organization_id, name, type, class, uri)
SELECT ${benchIdSql('asset', 'n')}, '${organizationId}', 'shop-' || n || '.example.com', 'WEBAPP', 'FRONTEND',
       'asset://frontend/shop-' || n || '.example.com'
  FROM generate_series(0, ${assetCount - 1}) AS n;
INSERT INTO scans (id, organization_id, application_id, kind, status)
SELECT ${benchIdSql('scan', 'n')}, '${organizationId}', ${benchIdSql('profile', `n % ${profileCount}`)},
       'FRONTEND_DAST', 'RUNNING'
  FROM generate_series(0, ${scanCount - 1}) AS n;
INSERT INTO scan_assets (scan_id, asset_id)
SELECT ${benchIdSql('scan', 'n')}, ${benchIdSql('asset', `n % ${assetCount}`)}
  FROM generate_series(0, ${scanCount - 1}) AS n`;

/** Fills an organization: its key, profiles, assets, and running scans of one asset each. */
export async function fillOrganization(client: Client): Promise<void> {
  await client.query(organizationSql);
  await client.query('VACUUM ANALYZE');
}
