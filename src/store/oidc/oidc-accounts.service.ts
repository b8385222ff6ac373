import { Injectable } from '@nestjs/common';
import { userActor } from '../../platform/audit/audit-actor.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Conflict, RuleBroken } from '../../platform/errors/errors.js';
import { Settings } from '../../config/settings.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { AccountMails } from '../account-mail/account-mails.js';
import { AccountStateService } from '../users/account-state.service.js';
import { UsersService } from '../users/users.service.js';
import { type Linked, type OidcAccount, OidcRepository } from './oidc.repository.js';
import type { ProvenUser } from './proven-user.js';
import { usernamesFor } from './username-choice.js';

/** The account of somebody who signs in, and their link to it. */
export interface FoundAccount extends OidcAccount {
  identityId: string;
}

/** Of an account without a password: no password has it. */
const noPassword = 'none';

/**
 * The accounts of the provider's users. A user is known by issuer and subject alone, never by an e-mail address, which
 * somebody else may have had, or may have typed, before.
 */
@Injectable()
export class OidcAccountsService {
  constructor(
    private readonly repository: OidcRepository,
    private readonly users: UsersService,
    private readonly accountState: AccountStateService,
    private readonly mails: AccountMails,
    private readonly audit: AuditLog,
    private readonly settings: Settings,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The account of a user of the provider, with the role of their groups; makes one at the first sign-in. `Conflict` where
   * another account has their e-mail address, `RuleBroken` where the provider does not tell one.
   */
  of(user: ProvenUser): Promise<FoundAccount> {
    return this.unitOfWork.run(async () => {
      const { issuer, subject } = user;
      await this.repository.lockSubject(issuer, subject);
      const name = user.username ?? user.email;
      const link = (await this.repository.useLink(issuer, subject, name)) ?? (await this.make(user));
      await this.accountState.changeByGroups(link.userId, this.isAdmin(user));
      const account = await this.repository.account(link.userId);
      if (!account) throw new Error('A link leads to no account');
      return { ...account, identityId: link.identityId };
    });
  }

  /** Links an account with a user of the provider, in a unit of work. */
  async link(userId: string, { issuer, subject, username, email }: ProvenUser): Promise<string> {
    const id = uuidV7();
    await this.repository.insertLink({ id, userId, issuer, subject, name: username ?? email });
    const changes = { provider: { from: null, to: issuer } };
    await this.audit.record({
      action: 'user.provider_linked',
      subject: { id: userId },
      actor: userActor(userId),
      changes,
    });
    return id;
  }

  private async make(user: ProvenUser): Promise<Linked> {
    const { email, emailVerified, firstName: first_name, lastName: last_name } = user;
    if (email === null) {
      const sentence =
        'The sign-in provider tells no e-mail address, which an account needs: add one there, or ask its operator';
      throw new RuleBroken(sentence, 'email_missing');
    }
    const names = usernamesFor(user);
    const taken = await this.repository.takenNames(names);
    const username = names.find((name) => !taken.has(name.toLowerCase())) ?? names.at(-1) ?? '';
    const profile = { username, email, emailVerified, first_name, last_name, passwordHash: noPassword };
    const made = await this.users.create(profile).catch(asTaken);
    // Whoever signed in at the provider may read mails to an address that it has not confirmed, or may not.
    if (!emailVerified) await this.mails.welcome(made);
    return { userId: made.id, identityId: await this.link(made.id, user) };
  }

  private isAdmin({ groups }: ProvenUser): boolean {
    const { adminGroups = [] } = this.settings.oidc ?? {};
    return groups.some((group) => adminGroups.includes(group));
  }
}

function asTaken(error: unknown): never {
  if (!(error instanceof Conflict) || error.code !== 'email_taken') throw error;
  throw new Conflict(
    'An account with your e-mail address is there already: sign in to it with its password, and link it on the page of ' +
      'your account',
    'account_exists',
  );
}
