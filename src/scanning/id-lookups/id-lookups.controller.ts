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
    'Find ids by how they begin',
    'For clients that take the beginning of an id: one candidate is the id, several are to choose from. API keys are ' +
      'found by admins alone.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  lookUp(@Query() lookup: IdLookup, @Member() caller: OrganizationCaller): Promise<IdCandidates> {
    return this.lookups.lookUp(caller, lookup);
  }
}
