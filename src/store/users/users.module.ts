import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CallerDirectory } from '../../common/auth/caller.js';
import { Callers } from './callers.js';
import { UserEntity } from './user.entity.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([UserEntity])],
  providers: [{ provide: CallerDirectory, useClass: Callers }],
  exports: [CallerDirectory],
})
export class UsersModule {}
