import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { OrganizationRole } from '../../platform/auth/organization-caller.js';
import { Database, statement } from '../../database/database.js';
import type { OrganizationMember } from './members.dto.js';
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
   WHERE m.user_id = $1 AND ($2::uuid IS NULL OR o.id = $2)
   GROUP BY o.id, m.role
   ORDER BY o.id`;

/** Makes the longest-serving member of each organization its admin, other than $2. */
const promoteLongest = `
  UPDATE organization_members m SET role = 'admin'
    FROM (SELECT DISTINCT ON (organization_id) organization_id, user_id, role FROM organization_members
           WHERE organization_id = ANY ($1::uuid[]) AND user_id <> $2
           ORDER BY organization_id, created_at, user_id) AS longest
   WHERE m.organization_id = longest.organization_id AND m.user_id = longest.user_id
  RETURNING m.organization_id AS "organizationId", m.user_id AS "userId", longest.role AS "from"`;

/** A member who became an admin, with their former role. */
export interface PromotedMember {
  organizationId: string;
  userId: string;
  from: OrganizationRole;
}

@Injectable()
export class MembersRepository {
  constructor(
    private readonly database: Database,
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

  /** Blocks concurrent changes of the organization's members until the unit of work ends. */
  async lock(organizationId: string): Promise<void> {
    await this.database.execute('SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
  }

  /** The role of a member, or null for anybody else, and the number of other admins. */
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

  /**
   * Locks all organizations of a user, or only this one, until the unit of work ends: against other changes of their members, and
   * where nobody else is a member, against new ones too. Only then it waits for imports, whose rows refer to the organization.
   */
  async lockOrganizationsOf(userId: string, organizationId: string | null = null): Promise<OrganizationOfMember[]> {
    await this.database.execute(
      `SELECT FROM organizations
        WHERE id IN (SELECT organization_id FROM organization_members
                      WHERE user_id = $1 AND ($2::uuid IS NULL OR organization_id = $2)) ORDER BY id FOR NO KEY UPDATE`,
      [userId, organizationId],
    );
    const read = () => this.database.rows<OrganizationOfMember>(organizationsOf, [userId, organizationId]);
    const theirs = await read();
    const emptied = theirs.filter(({ others }) => others === 0).map(({ id }) => id);
    if (emptied.length === 0) return theirs;
    await this.database.execute('SELECT FROM organizations WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE', [
      emptied,
    ]);
    return read();
  }

  /** Makes the longest-serving member, other than this user, the admin of each of these organizations. */
  promoteLongest(organizationIds: string[], userId: string): Promise<PromotedMember[]> {
    return this.database.rows<PromotedMember>(promoteLongest, [organizationIds, userId]);
  }

  async removeFromAll(userId: string): Promise<void> {
    await this.members.delete({ userId });
  }

  async removeOrganizations(ids: string[]): Promise<void> {
    await this.organizations.delete({ id: In(ids) });
  }
}
