import type { KeyRole, OrganizationRole } from '../../src/platform/auth/organization-caller.js';
import { uuidV7 } from '../../src/platform/crypto/uuid-v7.js';
import { beginningOfApiKey, hashApiKey, newApiKey } from '../../src/platform/crypto/api-keys.js';
import { insertUser } from './accounts.js';
import type { TestApp } from './test-app.js';

export interface InsertedMember {
  userId: string;
  username: string;
  token: string;
}

export interface InsertedOrganization {
  id: string;
  name: string;
  admin: InsertedMember;
  member: InsertedMember;
  viewer: InsertedMember;
  /** Adds a new user with that role. */
  join: (role: OrganizationRole) => Promise<InsertedMember>;
  /** Makes an API key and returns the key itself, to be sent as `X-API-Key`. */
  key: (role: KeyRole, choices?: KeyChoices) => Promise<string>;
}

export interface OrganizationChoices {
  name?: string;
  scopedWebhookExportPayload?: boolean;
}

export interface KeyChoices {
  name?: string;
  expiresAt?: Date | null;
  revokedAt?: Date | null;
}

/** Makes an existing user a member. */
export async function insertMembership(
  app: TestApp,
  organizationId: string,
  userId: string,
  role: OrganizationRole,
): Promise<void> {
  await app.database.rows('INSERT INTO organization_members (organization_id, user_id, role) VALUES ($1, $2, $3)', [
    organizationId,
    userId,
    role,
  ]);
}

export interface InvitationChoices {
  userId?: string;
  email?: string;
  role?: OrganizationRole;
  invitedBy?: string;
  expiresAt?: string;
}

/** Invites an account or an address, and returns the invitation's id. */
export async function insertInvitation(
  app: TestApp,
  organizationId: string,
  { userId, email, role = 'viewer', invitedBy, expiresAt = '2999-01-01' }: InvitationChoices,
): Promise<string> {
  const id = uuidV7();
  await app.database.rows(
    `INSERT INTO organization_invitations (id, organization_id, user_id, email, role, invited_by, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, organizationId, userId ?? null, email ?? null, role, invitedBy ?? null, expiresAt],
  );
  return id;
}

/** Writes an organization with an admin, a member and a viewer straight into the database. */
export async function insertOrganization(
  app: TestApp,
  { name = 'Acme Security', scopedWebhookExportPayload = false }: OrganizationChoices = {},
): Promise<InsertedOrganization> {
  const id = uuidV7();
  await app.database.rows('INSERT INTO organizations (id, name, scoped_webhook_export_payload) VALUES ($1, $2, $3)', [
    id,
    name,
    scopedWebhookExportPayload,
  ]);
  const join = async (role: OrganizationRole): Promise<InsertedMember> => {
    const user = await insertUser(app);
    await insertMembership(app, id, user.id, role);
    return { userId: user.id, username: user.username, token: user.token };
  };
  const key = async (role: KeyRole, choices: KeyChoices = {}): Promise<string> => {
    const made = newApiKey('organization');
    await app.database.rows(
      `INSERT INTO api_keys (id, organization_id, name, role, prefix, key_hash, expires_at, revoked_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        uuidV7(),
        id,
        choices.name ?? `${role} key`,
        role,
        beginningOfApiKey(made),
        hashApiKey(made),
        choices.expiresAt ?? null,
        choices.revokedAt ?? null,
      ],
    );
    return made;
  };
  return {
    id,
    name,
    admin: await join('admin'),
    member: await join('member'),
    viewer: await join('viewer'),
    join,
    key,
  };
}
