import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { SearchPaging } from '../search-paging.js';
import { TagsService } from './tags.service.js';
import { Tag, TagCreate, TagPage, TagPath, TagUpdate } from './tags.dto.js';

@ApiTags('tags')
@Controller('api/v1')
export class TagsController {
  constructor(private readonly tags: TagsService) {}

  @Get('tags')
  @OrganizationAccess('viewer')
  @Answers(200, TagPage, 'List tags, newest first', 'The labels for assets of the organization.')
  list(@Query() paging: SearchPaging, @Member() { organizationId }: OrganizationCaller): Promise<TagPage> {
    return this.tags.list(organizationId, paging);
  }

  @Post('tags')
  @OrganizationAccess('member')
  @Answers(201, Tag, 'Create a tag', 'Its name is unique in the organization, ignoring case.')
  @Refuses({ quota_exceeded: ['quota_exceeded'], conflict: ['tag_exists'] })
  create(@Body() tag: TagCreate, @Member() { organizationId }: OrganizationCaller): Promise<Tag> {
    return this.tags.create(organizationId, tag);
  }

  @Get('tags/:id')
  @OrganizationAccess('viewer')
  @Answers(200, Tag, 'Get a tag', 'One label, with its color.')
  get(@Param() { id }: TagPath, @Member() { organizationId }: OrganizationCaller): Promise<Tag> {
    return this.tags.get(organizationId, id);
  }

  @Patch('tags/:id')
  @OrganizationAccess('member')
  @Answers(200, Tag, 'Update a tag', 'Omitted fields stay as they are; null removes the color.')
  @Refuses({ conflict: ['tag_exists'] })
  update(
    @Param() { id }: TagPath,
    @Body() changes: TagUpdate,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<Tag> {
    return this.tags.update(organizationId, id, changes);
  }

  @Delete('tags/:id')
  @OrganizationAccess('member')
  @Answers(204, undefined, 'Delete a tag', 'Removes it from all assets.')
  remove(@Param() { id }: TagPath, @Member() { organizationId }: OrganizationCaller): Promise<void> {
    return this.tags.remove(organizationId, id);
  }
}
