import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CallerDirectory } from '../../common/auth/caller.js';
import { Callers } from './callers.js';
import { GuessLimits } from './guess-limits.js';
import { GuessLimitsRepository } from './guess-limits.repository.js';
import { AccountStateRepository } from './account-state.repository.js';
import { AccountStateService } from './account-state.service.js';
import { UserEntity } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([UserEntity])],
  controllers: [UsersController],
  providers: [
    { provide: CallerDirectory, useClass: Callers },
    UsersService,
    UsersRepository,
    AccountStateService,
    AccountStateRepository,
    GuessLimits,
    GuessLimitsRepository,
  ],
  exports: [CallerDirectory, UsersService, AccountStateService, GuessLimits],
})
export class UsersModule {}
