import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../common/auth/caller.js';
import type { OrganizationCaller, OrganizationRole } from '../../common/auth/organization-caller.js';
import { Conflict, found, NotFound } from '../../common/errors/kinds.js';
import { type CursorPaging, type Page, pageOf, startOf } from '../../common/http/cursor.js';
import { OrganizationRemovals } from '../../common/removal-steps.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { InvitationsRepository } from './invitations.repository.js';
import { MembersRepository } from './members.repository.js';
import type { OrganizationMember } from './members.shapes.js';

const lastAdmin = 'This is the last admin of the organization: make another one first';

/** The members of an organization. There is always an admin. Invitations end with the role of the admin who sent them. */
@Injectable()
export class MembersService {
  constructor(
    private readonly repository: MembersRepository,
    private readonly apiKeys: ApiKeysRepository,
    private readonly invitations: InvitationsRepository,
    private readonly organizations: OrganizationRemovals,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** A page of the members, newest first. `Invalid` for a broken cursor. */
  async list(
    { organizationId }: OrganizationCaller,
    { size, cursor }: CursorPaging,
  ): Promise<Page<OrganizationMember>> {
    const rows = await this.repository.page(organizationId, startOf(cursor), size + 1);
    return pageOf(rows, size, ({ userId, username, role, createdAt }) => ({ userId, username, role, createdAt }));
  }

  /** Changes a member's role. `NotFound` where the user is no member, `Conflict` where no admin would be left. */
  update({ organizationId }: OrganizationCaller, userId: string, role: OrganizationRole): Promise<OrganizationMember> {
    return this.unitOfWork.run(async () => {
      await this.lock(organizationId, userId, role === 'admin');
      if (role !== 'admin') await this.invitations.removeSentBy(organizationId, userId);
      return found(await this.repository.update(organizationId, userId, role), 'Member');
    });
  }

  /**
   * Removes a member, and on request revokes the API keys that they made. `NotFound` where the user is no member, `Conflict`
   * for the last admin.
   */
  remove({ organizationId }: OrganizationCaller, userId: string, revokeKeys: boolean): Promise<void> {
    return this.unitOfWork.run(async () => {
      await this.lock(organizationId, userId, false);
      await this.repository.remove(organizationId, userId);
      await this.invitations.removeSentBy(organizationId, userId);
      if (revokeKeys) await this.apiKeys.revokeMadeBy(organizationId, userId);
    });
  }

  /**
   * Ends the caller's own membership. Whoever leaves as the only member takes the organization with them. `Conflict` for the
   * last admin of one with other members, `NotFound` where the caller is no member.
   */
  leave(organizationId: string, { id: userId }: CallerIdentity): Promise<void> {
    return this.unitOfWork.run(async () => {
      const [own] = await this.repository.lockOrganizationsOf(userId, organizationId);
      if (!own) throw new NotFound('Organization not found');
      // Unspecified: what becomes of an organization that nobody belongs to. It goes, as with the account of its only member.
      if (own.others === 0) return this.removeOrganization(organizationId);
      if (own.role === 'admin' && own.otherAdmins === 0) throw new Conflict(lastAdmin, 'last_admin');
      await this.repository.remove(organizationId, userId);
      await this.invitations.removeSentBy(organizationId, userId);
    });
  }

  private async removeOrganization(id: string): Promise<void> {
    await this.organizations.run([id]);
    await this.repository.removeOrganizations([id]);
  }

  /** Locks the members and asserts that an admin will be left. */
  private async lock(organizationId: string, userId: string, staysAdmin: boolean): Promise<void> {
    await this.repository.lock(organizationId);
    const { role, otherAdmins } = await this.repository.roleAmongAdmins(organizationId, userId);
    if (role === null) throw new NotFound('Member not found');
    if (role === 'admin' && !staysAdmin && otherAdmins === 0) {
      throw new Conflict(lastAdmin, 'last_admin');
    }
  }
}
