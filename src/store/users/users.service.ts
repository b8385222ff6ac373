import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../../platform/auth/access-policy.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { RecentLogins } from '../../platform/auth/recent-login.js';
import { Conflict, Forbidden, found, RuleBroken, Unauthenticated } from '../../platform/errors/errors.js';
import { assertUnchanged } from '../../platform/http/entity-tag.js';
import { isUuid } from '../../platform/validation/check-value.js';
import { Changes } from '../../database/changes.js';
import { refuseViolations } from '../../database/refuse-violations.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { AddressChanges, addressTaken } from './address-changes.js';
import { AccountStateService } from './account-state.service.js';
import type { UserEntity } from './user.entity.js';
import { faces, membership } from './user-cache-tags.js';
import { toStrangersView, toUserDetail } from './users.mapper.js';
import { type NewAccount, UsersRepository } from './users.repository.js';
import type { User, UserDetail, UserUpdate } from './users.dto.js';

interface Registration extends NewAccount {
  /** The username of the account that recommended the shop. */
  referrer?: string | null;
}

const taken = {
  users_username_key: () => new Conflict('This username is taken: choose another one', 'username_taken'),
  ...addressTaken,
};

/** The public fields of an account beside its name, which never changes. */
const faceFields = ['first_name', 'last_name', 'avatar_url'] as const;

/** Accounts and their profiles. */
@Injectable()
export class UsersService {
  constructor(
    private readonly repository: UsersRepository,
    private readonly accountState: AccountStateService,
    private readonly unitOfWork: UnitOfWork,
    private readonly policy: AccessPolicy,
    private readonly changes: Changes,
    private readonly addresses: AddressChanges,
    private readonly recentLogins: RecentLogins,
  ) {}

  /** One account as the caller may see it; `NotFound` if there is none. */
  async get(id: string, caller: CallerIdentity | null): Promise<UserDetail> {
    const user = found(isUuid(id) ? await this.repository.byId(id) : null, 'User');
    return this.policy.hardened && !this.policy.ownerOrAdmin(caller, user.id)
      ? toStrangersView(user)
      : toUserDetail(user, caller?.role === 'admin');
  }

  /** The caller's own account. */
  async me(caller: CallerIdentity): Promise<User> {
    return stillThere(await this.repository.byId(caller.id));
  }

  /**
   * Makes an account with its cart and counts the referral. `Conflict` for a taken username or e-mail, `RuleBroken` for
   * an unknown referrer.
   */
  create({ referrer, ...account }: Registration): Promise<User> {
    const inserted = async (): Promise<User> => {
      const user = await refuseViolations(this.repository.insert(account), taken);
      await this.addresses.assertFree(user.email, user.id);
      this.changes.invalidate([membership]);
      return user;
    };
    // Unspecified: an empty referral code. Forms send it for a field left blank, so it counts as none.
    if (!referrer) return this.unitOfWork.run(inserted);
    return this.unitOfWork.run(async () => {
      if (!(await this.repository.addReferral(referrer))) {
        const sentence = 'No user has the name in referral_code: correct it, or omit it';
        throw new RuleBroken(sentence, 'unknown_referral_code');
      }
      return inserted();
    });
  }

  /**
   * Changes the given fields of the caller's profile. `Forbidden` for another role, unless the caller is an admin,
   * `Conflict` for a taken e-mail and for the last admin who steps down, `ChangedMeanwhile` where it differs from
   * `ifMatch`.
   */
  async updateProfile(caller: CallerIdentity, changes: UserUpdate, ifMatch: string | null): Promise<User> {
    if (ifMatch === null) return this.changeProfile(caller, changes);
    return this.unitOfWork.run(async () => {
      assertUnchanged(ifMatch, stillThere(await this.repository.lock(caller.id)));
      return this.changeProfile(caller, changes);
    });
  }

  private async changeProfile(caller: CallerIdentity, { role, ...profile }: UserUpdate): Promise<User> {
    if (role === undefined || role === caller.role) return this.save(caller, profile);
    if (caller.role !== 'admin') throw new Forbidden('Only an admin may change a role', 'admin_only');
    this.recentLogins.assertUnderHardened(caller);
    return this.unitOfWork.run(async () => {
      await this.accountState.change(caller.id, { role });
      return this.save(caller, profile);
    });
  }

  /** Shows a picture as the avatar of an account. */
  async setAvatar(id: string, url: string): Promise<void> {
    await this.repository.setAvatar(id, url);
    this.changes.invalidate([faces]);
  }

  /** Empties the avatar of an account if it shows this picture. */
  async clearAvatar(id: string, url: string): Promise<void> {
    await this.repository.clearAvatar(id, url);
    this.changes.invalidate([faces]);
  }

  private async save(caller: CallerIdentity, profile: Omit<UserUpdate, 'role'>): Promise<User> {
    const { id } = caller;
    if (Object.keys(profile).length === 0) return stillThere(await this.repository.byId(id));
    const write = () => refuseViolations(this.repository.update(id, toColumns(profile)), taken);
    const user = stillThere(
      await (profile.email === undefined ? write() : this.addresses.change(caller, profile.email, write)),
    );
    if (faceFields.some((field) => profile[field] !== undefined)) this.changes.invalidate([faces]);
    return user;
  }
}

/** Throws `Unauthenticated` if the account was deleted after its token was checked. */
function stillThere(user: User | null): User {
  if (!user) throw new Unauthenticated();
  return user;
}

function toColumns({ first_name, last_name, avatar_url, ...same }: Omit<UserUpdate, 'role'>): Partial<UserEntity> {
  return {
    ...same,
    ...(first_name === undefined ? {} : { firstName: first_name }),
    ...(last_name === undefined ? {} : { lastName: last_name }),
    ...(avatar_url === undefined ? {} : { avatarUrl: avatar_url }),
  };
}
