import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { AccountMails } from './account-mails.js';
import { AdminMails } from './admin-mails.js';
import { MailedAccountsRepository } from './mailed-accounts.repository.js';
import { MailTokenEntity } from './mail-token.entity.js';
import { MailTokensRepository } from './mail-tokens.repository.js';
import { MailTokensService } from './mail-tokens.service.js';
import { SecurityMails } from './security-mails.js';

/** The mails to accounts, and the tokens of the links in them. */
@Module({
  imports: [repositoriesOf([MailTokenEntity])],
  providers: [
    AccountMails,
    AdminMails,
    SecurityMails,
    MailedAccountsRepository,
    MailTokensService,
    MailTokensRepository,
  ],
  exports: [AccountMails, AdminMails, SecurityMails, MailTokensService],
})
export class AccountMailModule {}
