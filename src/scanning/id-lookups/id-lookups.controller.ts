import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { IdLookupsService } from './id-lookups.service.js';
import { IdCandidates, IdLookup } from './id-lookups.dto.js';

@ApiTags('ids')
@Controller('api/v1/ids')
export class IdLookupsController {
  constructor(private readonly lookups: IdLookupsService) {}

  @Get()
  @OrganizationAccess('viewer')
  @Answers(
    200,
    IdCandidates,
    'Find ids by their beginning',
    'For clients that accept the beginning of an id: a single candidate is the id, several are a choice. Only ' +
      'admins find API keys.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  lookUp(@Query() lookup: IdLookup, @Member() caller: OrganizationCaller): Promise<IdCandidates> {
    return this.lookups.lookUp(caller, lookup);
  }
}
