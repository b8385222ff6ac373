import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { MailTokensService } from '../account-mail/mail-tokens.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { AddressChanges } from '../users/address-changes.js';
import type { Done } from './account-links.dto.js';
import { linkEnded } from './link-ended.js';

/** Sets the address of an account back to the one before, by a link that was mailed there. */
@Injectable()
export class EmailUndoService {
  constructor(
    private readonly tokens: MailTokensService,
    private readonly addresses: AddressChanges,
    private readonly sessions: SessionsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Sets the address back, once, whether or not the new one was confirmed, and ends all sessions, tokens and links since.
   * `RuleBroken` for a link that is no longer valid, `Conflict` where another account has the address by now.
   */
  undo(token: string): Promise<Done> {
    return this.unitOfWork.run(async () => {
      const holder = await this.tokens.redeem('undo', token);
      if (!holder) throw linkEnded();
      await this.tokens.endAfterUndo(holder);
      if (!(await this.addresses.restore(holder))) throw linkEnded();
      await this.sessions.endAll(holder.user_id);
      return {
        message:
          'The address is restored, and all devices are signed out. We have sent a link to set a new password to it',
      };
    });
  }
}
