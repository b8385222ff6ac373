import { Global, Module } from '@nestjs/common';
import { CallerDirectory } from '../../platform/auth/caller.js';
import { MailAccounts } from '../../platform/mail/mail.js';
import { NetModule } from '../../platform/net/net.module.js';
import { repositoriesOf } from '../../database/repositories.js';
import { AccountMailModule } from '../account-mail/account-mail.module.js';
import { AccountStateRepository } from './account-state.repository.js';
import { AccountStateService } from './account-state.service.js';
import { AddressChanges } from './address-changes.js';
import { Callers } from './callers.js';
import { LoginAttemptCounterEntity } from './login-attempt-counter.entity.js';
import { BreachedPasswords } from './breached-passwords.js';
import { LoginAttempts } from './login-attempts.js';
import { LoginAttemptsRepository } from './login-attempts.repository.js';
import { PasswordRules } from './password-rules.js';
import { UserEntity } from './user.entity.js';
import { UserListsService } from './user-lists.service.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Global()
@Module({
  imports: [AccountMailModule, NetModule, repositoriesOf([UserEntity, LoginAttemptCounterEntity])],
  controllers: [UsersController],
  providers: [
    { provide: CallerDirectory, useClass: Callers },
    { provide: MailAccounts, useExisting: AccountStateService },
    UsersService,
    UserListsService,
    AddressChanges,
    UsersRepository,
    AccountStateService,
    AccountStateRepository,
    BreachedPasswords,
    LoginAttempts,
    LoginAttemptsRepository,
    PasswordRules,
  ],
  exports: [
    CallerDirectory,
    MailAccounts,
    UsersService,
    UserListsService,
    AddressChanges,
    AccountStateService,
    LoginAttempts,
    PasswordRules,
  ],
})
export class UsersModule {}
