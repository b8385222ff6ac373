import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Nobody becomes a member of an organization without agreeing: what an admin writes is an invitation. */
export class Invitations1700000012000 implements MigrationInterface {
  name = 'Invitations1700000012000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organization_invitations (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
        user_id uuid REFERENCES users ON DELETE CASCADE,
        email varchar(254),
        role text NOT NULL,
        invited_by uuid REFERENCES users ON DELETE SET NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT organization_invitations_role_check CHECK (role IN ('admin', 'member', 'viewer')),
        CONSTRAINT organization_invitations_invited_check CHECK ((user_id IS NULL) <> (email IS NULL))
      );
      CREATE INDEX organization_invitations_newest_idx
        ON organization_invitations (organization_id, created_at DESC, id DESC);
      CREATE UNIQUE INDEX organization_invitations_invited_key
        ON organization_invitations (organization_id, (coalesce(user_id::text, lower(email))));
      CREATE INDEX organization_invitations_user_idx ON organization_invitations (user_id);
      CREATE INDEX organization_invitations_email_idx ON organization_invitations (lower(email));
      CREATE INDEX organization_invitations_inviter_idx ON organization_invitations (invited_by);
      CREATE INDEX organization_invitations_expiry_idx ON organization_invitations (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE organization_invitations');
  }
}
