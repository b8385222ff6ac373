import { Module } from '@nestjs/common';
import { NoticeFactsRepository } from './notice-facts.repository.js';
import { NoticeMembersService } from './notice-members.service.js';
import { NoticesService } from './notices.service.js';

/** What notifications say, in the form of each receiver. */
@Module({
  providers: [NoticesService, NoticeFactsRepository, NoticeMembersService],
  exports: [NoticesService, NoticeMembersService],
})
export class NotificationsModule {}
