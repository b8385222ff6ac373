import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../common/auth/access.js';
import { Member, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { AssetsService } from './assets.service.js';
import { Asset, AssetCreate, AssetFilter, AssetPage, AssetPath, AssetUpdate } from './assets.shapes.js';

@ApiTags('assets')
@Controller('api/v1')
export class AssetsController {
  constructor(private readonly assets: AssetsService) {}

  @Get('assets')
  @OrganizationAccess('viewer')
  @Answers(200, AssetPage, 'List assets, newest first')
  list(@Query() filter: AssetFilter, @Member() { organizationId }: OrganizationCaller): Promise<AssetPage> {
    return this.assets.list(organizationId, filter);
  }

  @Post('assets')
  @OrganizationAccess('member')
  @Answers(201, Asset, 'Make an asset')
  @Refuses({ conflict: 'There is an asset of this address' })
  create(@Body() asset: AssetCreate, @Member() { organizationId }: OrganizationCaller): Promise<Asset> {
    return this.assets.create(organizationId, asset);
  }

  @Get('assets/:id')
  @OrganizationAccess('viewer')
  @Answers(200, Asset, 'Get an asset')
  get(@Param() { id }: AssetPath, @Member() { organizationId }: OrganizationCaller): Promise<Asset> {
    return this.assets.get(organizationId, id);
  }

  @Patch('assets/:id')
  @OrganizationAccess('member')
  @Answers(200, Asset, 'Update an asset')
  @Refuses({ conflict: 'There is another asset of this address' })
  update(
    @Param() { id }: AssetPath,
    @Body() changes: AssetUpdate,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<Asset> {
    return this.assets.update(organizationId, id, changes);
  }

  @Delete('assets/:id')
  @OrganizationAccess('member')
  @Answers(204, undefined, 'Delete an asset')
  @Refuses({ conflict: 'The asset has scans or issues' })
  remove(@Param() { id }: AssetPath, @Member() { organizationId }: OrganizationCaller): Promise<void> {
    return this.assets.remove(organizationId, id);
  }
}
