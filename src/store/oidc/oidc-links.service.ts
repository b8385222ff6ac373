import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { Conflict, found, Unauthenticated } from '../../platform/errors/errors.js';
import { refuseViolations } from '../../database/refuse-violations.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { SecurityMails } from '../account-mail/security-mails.js';
import { notices } from '../account-mail/security-notices.js';
import { OidcAccountsService } from './oidc-accounts.service.js';
import type { OidcIdentityEntity } from './oidc-identity.entity.js';
import { OidcLoginsService } from './oidc-logins.service.js';
import { OidcRepository } from './oidc.repository.js';
import type { OidcFinish, ProviderLink } from './oidc.dto.js';

const taken = {
  oidc_identities_subject_key: () =>
    new Conflict('Another account is linked with this user of the provider: unlink it there first', 'already_linked'),
  oidc_identities_user_key: () =>
    new Conflict('Your account is linked with a user of the provider already: unlink that first', 'already_linked'),
};

/** The links of the caller's account with users of the provider. */
@Injectable()
export class OidcLinksService {
  constructor(
    private readonly repository: OidcRepository,
    private readonly logins: OidcLoginsService,
    private readonly accounts: OidcAccountsService,
    private readonly audit: AuditLog,
    private readonly mails: SecurityMails,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list({ id }: CallerIdentity): Promise<ProviderLink[]> {
    return (await this.repository.links(id)).map(toLink);
  }

  /**
   * Ends a sign-in that the caller began for a link, and links the account. `Conflict` where either is linked already,
   * `Unauthenticated` as `OidcLoginsService.finish`, and for a sign-in that another account began.
   */
  async create(finish: OidcFinish, caller: CallerIdentity, response: Response): Promise<ProviderLink> {
    const { user, userId } = await this.logins.prove(finish, ['link'], response);
    if (userId !== caller.id) {
      throw new Unauthenticated('Another account began this sign-in: begin another one', 'sign_in_ended');
    }
    const id = await this.unitOfWork.run(async () => {
      const linked = await refuseViolations(this.accounts.link(caller.id, user), taken);
      await this.mails.send(caller.id, notices.providerLinked(user.issuer));
      return linked;
    });
    return toLink(found(await this.repository.link(caller.id, id), 'Link'));
  }

  /** Removes a link. `NotFound` if there is none, `Conflict` where the account has no password to sign in with then. */
  remove({ id: userId }: CallerIdentity, id: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      const { issuer } = found(await this.repository.link(userId, id), 'Link');
      if (!(await this.repository.hasPassword(userId))) {
        throw new Conflict(
          'Your account has no password, so you could no longer sign in: set one first, by “Forgot your password?” ' +
            'on the sign-in page',
          'password_needed',
        );
      }
      await this.repository.removeLink(userId, id);
      const changes = { provider: { from: issuer, to: null } };
      await this.audit.record({ action: 'user.provider_unlinked', subject: { id: userId }, changes });
      await this.mails.send(userId, notices.providerUnlinked(issuer));
    });
  }
}

function toLink({ id, issuer, name, createdAt, lastUsedAt }: OidcIdentityEntity): ProviderLink {
  return { id, issuer, name, created_at: createdAt.toISOString(), last_used_at: lastUsedAt.toISOString() };
}
