import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountRemovals } from '../../common/removal-steps.js';
import { AccountMails } from '../account-mail/account-mails.js';
import { UsersService } from '../users/users.service.js';

/** Tells the owner of an account that it is deleted. */
@Injectable()
export class Goodbye implements OnModuleInit {
  constructor(
    private readonly removals: AccountRemovals,
    private readonly users: UsersService,
    private readonly mails: AccountMails,
  ) {}

  onModuleInit(): void {
    this.removals.add(async ({ userId }) => {
      const user = await this.users.find(userId);
      if (user) await this.mails.deleted(user);
    });
  }
}
