import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Conflict } from '../../common/errors/kinds.js';
import { AccountRemovals, OrganizationRemovals } from '../../common/removal-steps.js';
import { MembersRepository } from './members.repository.js';

/** What becomes of a user's organizations when the account is deleted. */
@Injectable()
export class AccountRemoval implements OnModuleInit {
  constructor(
    private readonly repository: MembersRepository,
    private readonly accounts: AccountRemovals,
    private readonly organizations: OrganizationRemovals,
  ) {}

  onModuleInit(): void {
    this.accounts.add((userId) => this.remove(userId));
  }

  /**
   * Ends all memberships of an account within its deletion's unit of work, and deletes the organizations of which it was the
   * only member. `Conflict` where it is the last admin of an organization with other members.
   */
  private async remove(userId: string): Promise<void> {
    await this.repository.lockOrganizationsOf(userId);
    const theirs = await this.repository.organizationsOf(userId);
    const led = theirs.find(({ role, others, otherAdmins }) => role === 'admin' && others > 0 && otherAdmins === 0);
    if (led) {
      throw new Conflict(
        `This is the last admin of the organization "${led.name}" (${led.id}): make another member its admin first`,
        'last_admin_of_organization',
      );
    }
    const emptied = theirs.filter(({ others }) => others === 0).map(({ id }) => id);
    if (emptied.length > 0) {
      await this.organizations.run(emptied);
      await this.repository.removeOrganizations(emptied);
    }
    await this.repository.removeFromAll(userId);
  }
}
