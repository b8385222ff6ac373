import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { KnownDeviceEntity } from './known-device.entity.js';
import { RefreshTokens } from './refresh-tokens.js';
import { SessionEntity } from './session.entity.js';
import { SessionMails } from './session-mails.js';
import { SessionSweep } from './session-sweep.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [repositoriesOf([SessionEntity, KnownDeviceEntity])],
  controllers: [SessionsController],
  providers: [SessionsService, SessionsRepository, SessionMails, SessionSweep, RefreshTokens],
  exports: [SessionsService],
})
export class SessionsModule {}
