import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { SearchPaging } from '../search-paging.js';
import { ViewsService } from './views.service.js';
import { View, ViewCreate, ViewPage, ViewPath, ViewUpdate } from './views.dto.js';

@ApiTags('views')
@Controller('api/v1')
export class ViewsController {
  constructor(private readonly views: ViewsService) {}

  @Get('views')
  @OrganizationAccess('viewer')
  @Answers(200, ViewPage, 'List saved views, newest first', "The organization's, and the caller's own.")
  list(@Query() paging: SearchPaging, @Member() caller: OrganizationCaller): Promise<ViewPage> {
    return this.views.list(caller, paging);
  }

  @Post('views')
  @OrganizationAccess('member')
  @Answers(201, View, 'Save a view', 'A filter of issues with a name, for oneself or for the organization.')
  @Refuses({ quota_exceeded: ['quota_exceeded'], conflict: ['view_exists'] })
  @Examples({ body: { name: 'Critical and open', shared: true, filter: { severities: ['CRITICAL'] }, sort: 'due' } })
  create(@Body() view: ViewCreate, @Member() caller: OrganizationCaller): Promise<View> {
    return this.views.create(caller, view);
  }

  @Get('views/:id')
  @OrganizationAccess('viewer')
  @Answers(200, View, 'Get a saved view', 'Its filter, as the list of issues takes it.')
  @Examples({ id: demo('view') })
  get(@Param() { id }: ViewPath, @Member() caller: OrganizationCaller): Promise<View> {
    return this.views.get(caller, id);
  }

  @Patch('views/:id')
  @OrganizationAccess('member')
  @Answers(
    200,
    View,
    'Change a saved view',
    'Omitted fields stay as they are. Only its owner makes a shared view private.',
  )
  @Refuses({ forbidden: ['forbidden'], conflict: ['view_exists'] })
  @Examples({ id: demo('view'), body: { sort: 'severity' } })
  update(@Param() { id }: ViewPath, @Body() changes: ViewUpdate, @Member() caller: OrganizationCaller): Promise<View> {
    return this.views.update(caller, id, changes);
  }

  @Delete('views/:id')
  @OrganizationAccess('member')
  @Answers(204, undefined, 'Delete a saved view', 'Workflows that use it as a condition then fail and say so.')
  @Examples({ id: demo('view') })
  remove(@Param() { id }: ViewPath, @Member() caller: OrganizationCaller): Promise<void> {
    return this.views.remove(caller, id);
  }
}
