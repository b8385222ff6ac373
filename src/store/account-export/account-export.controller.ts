import { Controller, Get, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { AccountExport } from './account-export.dto.js';
import { AccountExportService } from './account-export.service.js';

@ApiTags('users')
@Controller('api/v1/users/me/export')
export class AccountExportController {
  constructor(private readonly exports: AccountExportService) {}

  @Get()
  @Bearer()
  @Answers(
    200,
    AccountExport,
    'Export everything that is held about you',
    'One JSON object, streamed: your account, orders, texts, pictures, sessions, and what the service noted about ' +
      'your account. Secrets and their digests are left out, and so is what belongs to others.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  async export(@Caller() caller: CallerIdentity): Promise<StreamableFile> {
    const options = { type: 'application/json; charset=utf-8', disposition: 'attachment; filename="account.json"' };
    return new StreamableFile(await this.exports.of(caller), options);
  }
}
