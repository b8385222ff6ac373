import { Injectable } from '@nestjs/common';
import { changesOf } from '../../platform/audit/audit-changes.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import type { OrganizationCaller, OrganizationRole } from '../../platform/auth/organization-caller.js';
import { Conflict, found, NotFound } from '../../platform/errors/errors.js';
import { type CursorPaging, type Page, pageOf, startOf } from '../../platform/http/cursor.js';
import { MemberRemovals, OrganizationRemovals } from '../../platform/removal-steps.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ApiKeyMails } from './api-key-mails.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { InvitationsRepository } from './invitations.repository.js';
import { MembersRepository, type OrganizationOfMember } from './members.repository.js';
import type { OrganizationMember } from './members.dto.js';

const lastAdmin = 'This is the last admin of the organization: make another member an admin first';

/** The members of an organization. There is always an admin. Invitations end with the role of the admin who sent them. */
@Injectable()
export class MembersService {
  constructor(
    private readonly repository: MembersRepository,
    private readonly apiKeys: ApiKeysRepository,
    private readonly keyMails: ApiKeyMails,
    private readonly invitations: InvitationsRepository,
    private readonly organizations: OrganizationRemovals,
    private readonly removals: MemberRemovals,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** A page of the members, newest first. `Invalid` for a broken cursor. */
  async list(
    { organizationId }: OrganizationCaller,
    { size, cursor }: CursorPaging,
  ): Promise<Page<OrganizationMember>> {
    const rows = await this.repository.page(organizationId, startOf(cursor), size + 1);
    return pageOf(rows, size, ({ userId, username, role, createdAt }) => ({ userId, username, role, createdAt }));
  }

  /** Changes a member's role. `NotFound` where the user is not a member, `Conflict` where no admin would be left. */
  update({ organizationId }: OrganizationCaller, userId: string, role: OrganizationRole): Promise<OrganizationMember> {
    return this.unitOfWork.run(async () => {
      const from = await this.lock(organizationId, userId, role === 'admin');
      if (role !== 'admin') await this.invitations.removeSentBy(organizationId, userId);
      const member = found(await this.repository.update(organizationId, userId, role), 'Member');
      const changes = changesOf({ role: from }, member, { shown: ['role'] });
      await this.audit.record({ action: 'member.role_changed', organizationId, subject: { id: userId }, changes });
      return member;
    });
  }

  /**
   * Removes a member, and on request revokes the API keys that they made. `NotFound` where the user is not a member, `Conflict`
   * for the last admin.
   */
  remove({ organizationId }: OrganizationCaller, userId: string, revokeKeys: boolean): Promise<void> {
    return this.unitOfWork.run(async () => {
      const from = await this.lock(organizationId, userId, false);
      await this.repository.remove(organizationId, userId);
      await this.invitations.removeSentBy(organizationId, userId);
      await this.removals.run({ organizationId, userId });
      const changes = { role: { from, to: null } };
      const removed = { action: 'member.removed', organizationId, subject: { id: userId }, changes } as const;
      const revoked = revokeKeys ? await this.apiKeys.revokeMadeBy(organizationId, userId) : [];
      const keys = revoked.map((subject) => ({ action: 'api_key.revoked', organizationId, subject }) as const);
      await this.audit.record(removed, ...keys);
      await this.keyMails.revoked(organizationId, revoked);
    });
  }

  /**
   * Ends the caller's own membership. The only member takes the organization with them. `Conflict` for the last admin of one
   * with other members, `NotFound` where the caller is not a member.
   */
  leave(organizationId: string, { id: userId }: CallerIdentity): Promise<void> {
    return this.unitOfWork.run(async () => {
      const [own] = await this.repository.lockOrganizationsOf(userId, organizationId);
      if (!own) throw new NotFound('Organization not found');
      // Unspecified: an organization that nobody belongs to. It goes, as with the account of its only member.
      if (own.others === 0) return this.removeOrganization(own);
      if (own.role === 'admin' && own.otherAdmins === 0) throw new Conflict(lastAdmin, 'last_admin');
      await this.repository.remove(organizationId, userId);
      await this.invitations.removeSentBy(organizationId, userId);
      await this.removals.run({ organizationId, userId });
      const changes = { role: { from: own.role, to: null } };
      await this.audit.record({ action: 'member.left', organizationId, subject: { id: userId }, changes });
    });
  }

  private async removeOrganization(organization: OrganizationOfMember): Promise<void> {
    await this.organizations.run([organization.id]);
    await this.repository.removeOrganizations([organization.id]);
    await this.audit.record({ action: 'organization.deleted', subject: organization });
  }

  /** Locks the members, asserts that an admin will be left, and returns the role of this one. */
  private async lock(organizationId: string, userId: string, staysAdmin: boolean): Promise<OrganizationRole> {
    await this.repository.lock(organizationId);
    const { role, otherAdmins } = await this.repository.roleAmongAdmins(organizationId, userId);
    if (role === null) throw new NotFound('Member not found');
    if (role === 'admin' && !staysAdmin && otherAdmins === 0) {
      throw new Conflict(lastAdmin, 'last_admin');
    }
    return role;
  }
}
