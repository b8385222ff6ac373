import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { AccountRemovals } from '../../platform/removal-steps.js';
import { Changes } from '../../database/changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { anyRating } from '../catalogue/product-cache-tags.js';
import { anyReviews } from '../reviews/review-cache-tags.js';
import { allTestimonials } from '../testimonials/testimonial-cache-tags.js';
import { UploadsService } from '../uploads/uploads.service.js';
import { AccountStateService } from '../users/account-state.service.js';
import { faces, membership, accountStateOf } from '../users/user-cache-tags.js';
import { AccountsRepository } from './accounts.repository.js';
import type { AccountDeleted } from './accounts.dto.js';

/** Deletes accounts, which concerns many modules. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly repository: AccountsRepository,
    private readonly accountState: AccountStateService,
    private readonly unitOfWork: UnitOfWork,
    private readonly removals: AccountRemovals,
    private readonly uploads: UploadsService,
    private readonly changes: Changes,
  ) {}

  /** Deletes the caller's own account; throws as `remove` does. */
  async removeOwn(caller: CallerIdentity): Promise<AccountDeleted> {
    await this.remove(caller.id, caller);
    return { message: 'The account is deleted' };
  }

  /**
   * Deletes an account: removes its personal data, cart, reviews and testimonials, and ends its tokens; its orders
   * stay. `NotFound` if there is none, `Forbidden` where it cannot be deleted, `Conflict` for the last admin, and for
   * the caller's own where it is the last admin of an organization that has other members.
   */
  remove(userId: string, caller: CallerIdentity): Promise<void> {
    return this.unitOfWork.run(async () => {
      await this.accountState.lockForRemoval(userId);
      await this.removals.run({ userId, byOwner: userId.toLowerCase() === caller.id });
      await this.uploads.removeAllOf(userId);
      // Unspecified: the addresses of orders. They are personal data, so they go once the parcel has arrived; country,
      // prices and lines stay.
      await this.repository.scrub(userId);
      const shown = [membership, faces, anyReviews, anyRating, allTestimonials];
      this.changes.invalidate([accountStateOf(userId.toLowerCase()), ...shown]);
    });
  }
}
