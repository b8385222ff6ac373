import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { AccountMails } from './account-mails.js';
import { MailTokenEntity } from './mail-token.entity.js';
import { MailTokensRepository } from './mail-tokens.repository.js';
import { MailTokensService } from './mail-tokens.service.js';

/** The mails to accounts, and the tokens of the links in them. */
@Module({
  imports: [repositoriesOf([MailTokenEntity])],
  providers: [AccountMails, MailTokensService, MailTokensRepository],
  exports: [AccountMails, MailTokensService],
})
export class AccountMailModule {}
