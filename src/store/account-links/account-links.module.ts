import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import express from 'express';
import { CryptoModule } from '../../platform/crypto/crypto.module.js';
import { AccountMailModule } from '../account-mail/account-mail.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { AccountLinksController } from './account-links.controller.js';
import { AccountPagesController } from './account-pages.controller.js';
import { EmailConfirmationService } from './email-confirmation.service.js';
import { EmailUndoService } from './email-undo.service.js';
import { ForgottenPasswordsService } from './forgotten-passwords.service.js';
import { DeletionNotice } from './deletion-notice.js';
import { PasswordResetService } from './password-reset.service.js';

/** The pages and routes that links in account mails lead to. */
@Module({
  imports: [AccountMailModule, CryptoModule, SessionsModule],
  controllers: [AccountLinksController, AccountPagesController],
  providers: [
    EmailConfirmationService,
    EmailUndoService,
    ForgottenPasswordsService,
    PasswordResetService,
    DeletionNotice,
  ],
})
export class AccountLinksModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    // The largest of the pages' forms has a token and a password.
    const forms = express.urlencoded({ extended: false, limit: 4_096, parameterLimit: 4, inflate: false });
    consumer.apply(forms).forRoutes(AccountPagesController);
  }
}
