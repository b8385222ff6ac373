import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditLog, type AuditRecord } from '../../platform/audit/audit-log.js';
import { Conflict } from '../../platform/errors/errors.js';
import { AccountRemovals, OrganizationRemovals, type RemovedAccount } from '../../platform/removal-steps.js';
import { InvitationsRepository } from './invitations.repository.js';
import { MembersRepository, type OrganizationOfMember, type PromotedMember } from './members.repository.js';

/** Handles a user's organizations when the account is deleted. */
@Injectable()
export class AccountRemoval implements OnModuleInit {
  constructor(
    private readonly repository: MembersRepository,
    private readonly invitations: InvitationsRepository,
    private readonly accounts: AccountRemovals,
    private readonly organizations: OrganizationRemovals,
    private readonly audit: AuditLog,
  ) {}

  onModuleInit(): void {
    this.accounts.add((account) => this.remove(account));
  }

  /**
   * Ends all memberships of an account within its deletion's unit of work, with the invitations to it and from it, and
   * deletes the organizations of which it was the only member. Where it is the last admin of an organization with other
   * members, `Conflict` for its owner; if an admin of the shop deletes it, the longest-serving member becomes that admin.
   */
  private async remove({ userId, byOwner }: RemovedAccount): Promise<void> {
    const theirs = await this.repository.lockOrganizationsOf(userId);
    const led = theirs.filter(({ role, others, otherAdmins }) => role === 'admin' && others > 0 && otherAdmins === 0);
    const [first] = led;
    if (first && byOwner) {
      throw new Conflict(
        `This is the last admin of the organization "${first.name}" (${first.id}): make another member an admin first`,
        'last_admin_of_organization',
      );
    }
    const ids = led.map(({ id }) => id);
    const promoted = ids.length === 0 ? [] : await this.repository.promoteLongest(ids, userId);
    const emptied = theirs.filter(({ others }) => others === 0);
    if (emptied.length > 0) await this.removeOrganizations(emptied.map(({ id }) => id));
    await this.invitations.removeOfAccount(userId);
    await this.repository.removeFromAll(userId);
    const left = theirs.filter(({ others }) => others > 0);
    await this.audit.record(
      ...promoted.map(promotion),
      ...left.map((organization) => departure(organization, userId, byOwner)),
      ...emptied.map((subject) => ({ action: 'organization.deleted', subject }) as const),
    );
  }

  private async removeOrganizations(ids: string[]): Promise<void> {
    await this.organizations.run(ids);
    await this.repository.removeOrganizations(ids);
  }
}

function promotion({ organizationId, userId: id, from }: PromotedMember): AuditRecord {
  return { action: 'member.role_changed', organizationId, subject: { id }, changes: { role: { from, to: 'admin' } } };
}

function departure({ id: organizationId, role }: OrganizationOfMember, id: string, byOwner: boolean): AuditRecord {
  const action = byOwner ? 'member.left' : 'member.removed';
  return { action, organizationId, subject: { id }, changes: { role: { from: role, to: null } } };
}
