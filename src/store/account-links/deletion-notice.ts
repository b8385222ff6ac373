import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountRemovals } from '../../platform/removal-steps.js';
import { AccountMails } from '../account-mail/account-mails.js';

/** Tells the owner of an account that it is deleted. */
@Injectable()
export class DeletionNotice implements OnModuleInit {
  constructor(
    private readonly removals: AccountRemovals,
    private readonly mails: AccountMails,
  ) {}

  onModuleInit(): void {
    this.removals.add(async ({ userId }) => {
      await this.mails.deleted(userId);
    });
  }
}
