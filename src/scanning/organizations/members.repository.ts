import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { OrganizationRole } from '../../common/auth/organization-caller.js';
import { Database, statement } from '../../database/database.js';
import { countUpTo, StockQuotas } from '../../database/stock-quotas.js';
import type { OrganizationMember } from './members.shapes.js';
import { OrganizationMemberEntity } from './organization-member.entity.js';
import { OrganizationEntity } from './organization.entity.js';

const columns = 'm.user_id AS "userId", u.username, m.role, m.created_at AS "createdAt"';

const page = statement(
  'organizations.members-page',
  `SELECT ${columns}, m.user_id AS id
     FROM organization_members m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND (m.created_at, m.user_id) < ($2, $3)
    ORDER BY m.created_at DESC, m.user_id DESC LIMIT $4`,
);

/** The lock keeps the account from being deleted until the unit of work ends. */
const insert = `
  WITH u AS (
         SELECT id, username FROM users
          WHERE deleted_at IS NULL AND (id = $2 OR lower(username) = lower($3)) FOR SHARE),
       m AS (
         INSERT INTO organization_members (organization_id, user_id, role) SELECT $1::uuid, u.id, $4::text FROM u
         RETURNING *)
  SELECT ${columns} FROM m JOIN u ON u.id = m.user_id`;

const update = `
  UPDATE organization_members m SET role = $3 FROM users u
   WHERE m.organization_id = $1 AND m.user_id = $2 AND u.id = m.user_id
  RETURNING ${columns}`;

/** An organization of a user, with the numbers of its other members. */
export interface OrganizationOfMember {
  id: string;
  name: string;
  role: OrganizationRole;
  others: number;
  otherAdmins: number;
}

const organizationsOf = `
  SELECT o.id, o.name, m.role,
         count(other.user_id)::integer AS others,
         count(other.user_id) FILTER (WHERE other.role = 'admin')::integer AS "otherAdmins"
    FROM organization_members m
    JOIN organizations o ON o.id = m.organization_id
    LEFT JOIN organization_members other ON other.organization_id = o.id AND other.user_id <> m.user_id
   WHERE m.user_id = $1
   GROUP BY o.id, m.role
   ORDER BY o.id`;

const count = statement('organizations.members.count', countUpTo('organization_members WHERE organization_id = $1'));

@Injectable()
export class MembersRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
    @InjectRepository(OrganizationMemberEntity) private readonly members: Repository<OrganizationMemberEntity>,
    @InjectRepository(OrganizationEntity) private readonly organizations: Repository<OrganizationEntity>,
  ) {}

  page(
    organizationId: string,
    after: [Date | 'infinity', string],
    limit: number,
  ): Promise<(OrganizationMember & { id: string })[]> {
    return this.database.rows(page, [organizationId, ...after, limit]);
  }

  /** Makes an account, named by id or username, a member; null where there is none. */
  insert(
    organizationId: string,
    user: { userId?: string; username?: string },
    role: OrganizationRole,
  ): Promise<OrganizationMember | null> {
    const { userId = null, username = null } = user;
    return this.stockQuotas.within(
      'members',
      organizationId,
      count,
      () => this.database.row<OrganizationMember>(insert, [organizationId, userId, username, role]),
      (added) => added !== null,
    );
  }

  /** Blocks concurrent changes of the organization's members until the unit of work ends. */
  async lock(organizationId: string): Promise<void> {
    await this.database.execute('SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
  }

  /** The role of a member, or null where the user is none, and how many other admins there are. */
  async roleAmongAdmins(
    organizationId: string,
    userId: string,
  ): Promise<{ role: OrganizationRole | null; otherAdmins: number }> {
    const members = await this.database.rows<{ asked: boolean; role: OrganizationRole }>(
      `SELECT user_id = $2 AS asked, role FROM organization_members
        WHERE organization_id = $1 AND (user_id = $2 OR role = 'admin')`,
      [organizationId, userId],
    );
    const role = members.find(({ asked }) => asked)?.role ?? null;
    return { role, otherAdmins: members.filter(({ asked }) => !asked).length };
  }

  update(organizationId: string, userId: string, role: OrganizationRole): Promise<OrganizationMember | null> {
    return this.database.row<OrganizationMember>(update, [organizationId, userId, role]);
  }

  async remove(organizationId: string, userId: string): Promise<void> {
    await this.members.delete({ organizationId, userId });
  }

  /** Locks all organizations of a user until the unit of work ends, against new members too. */
  async lockOrganizationsOf(userId: string): Promise<void> {
    await this.database.execute(
      `SELECT FROM organizations
        WHERE id IN (SELECT organization_id FROM organization_members WHERE user_id = $1) ORDER BY id FOR UPDATE`,
      [userId],
    );
  }

  organizationsOf(userId: string): Promise<OrganizationOfMember[]> {
    return this.database.rows<OrganizationOfMember>(organizationsOf, [userId]);
  }

  async removeFromAll(userId: string): Promise<void> {
    await this.members.delete({ userId });
  }

  async removeOrganizations(ids: string[]): Promise<void> {
    await this.organizations.delete({ id: In(ids) });
  }
}
