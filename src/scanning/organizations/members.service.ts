import { Injectable } from '@nestjs/common';
import type { OrganizationCaller, OrganizationRole } from '../../common/auth/organization-caller.js';
import { Invalid } from '../../common/errors/invalid.js';
import { Conflict, found, NotFound } from '../../common/errors/kinds.js';
import { type CursorPaging, type Page, pageOf, startOf } from '../../common/http/cursor.js';
import { refuseViolations } from '../../database/refuse-violations.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { MembersRepository } from './members.repository.js';
import type { OrganizationMember, OrganizationMemberCreate } from './members.shapes.js';

const refusals = {
  organization_members_pkey: () =>
    new Conflict('This user is a member already: change the role with PATCH', 'already_a_member'),
  organization_members_organization_id_fkey: () => new NotFound('Organization not found'),
};

/** The members of an organization. There is always an admin. */
@Injectable()
export class MembersService {
  constructor(
    private readonly repository: MembersRepository,
    private readonly apiKeys: ApiKeysRepository,
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

  /**
   * Makes an account a member. `Invalid` unless exactly one of `userId` and `username` names it, `NotFound` where there is no
   * such account, `Conflict` for a member.
   */
  async add(
    { organizationId }: OrganizationCaller,
    { role, ...user }: OrganizationMemberCreate,
  ): Promise<OrganizationMember> {
    if ((user.userId === undefined) === (user.username === undefined)) {
      const type = user.userId === undefined ? 'missing' : 'value_error';
      throw Invalid.at(['body', 'userId'], type, 'Name the account by userId or by username: one of the two');
    }
    return found(await refuseViolations(this.repository.insert(organizationId, user, role), refusals), 'User');
  }

  /** Changes a member's role. `NotFound` where the user is no member, `Conflict` where no admin would be left. */
  update({ organizationId }: OrganizationCaller, userId: string, role: OrganizationRole): Promise<OrganizationMember> {
    return this.unitOfWork.run(async () => {
      await this.lock(organizationId, userId, role === 'admin');
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
      if (revokeKeys) await this.apiKeys.revokeMadeBy(organizationId, userId);
    });
  }

  /** Locks the members and asserts that an admin will be left. */
  private async lock(organizationId: string, userId: string, staysAdmin: boolean): Promise<void> {
    await this.repository.lock(organizationId);
    const { role, otherAdmins } = await this.repository.roleAmongAdmins(organizationId, userId);
    if (role === null) throw new NotFound('Member not found');
    if (role === 'admin' && !staysAdmin && otherAdmins === 0) {
      throw new Conflict('This is the last admin of the organization: make another one first', 'last_admin');
    }
  }
}
