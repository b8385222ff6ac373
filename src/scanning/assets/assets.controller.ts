import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { AssetsService } from './assets.service.js';
import { Asset, AssetCreate, AssetFilter, AssetPage, AssetPath, AssetUpdate } from './assets.dto.js';

const careersSite = {
  name: 'Careers site',
  type: 'WEBAPP',
  class: 'FRONTEND',
  frontend: { type: 'WEBAPP', url: 'https://careers.example.com', ips: [], regionCountryCodes: [], tls: true },
};

@ApiTags('assets')
@Controller('api/v1')
export class AssetsController {
  constructor(private readonly assets: AssetsService) {}

  @Get('assets')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    AssetPage,
    'List assets, newest first',
    'The things that the organization owns, filtered by type, class, tags or a text in name or uri.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  list(@Query() filter: AssetFilter, @Member() { organizationId }: OrganizationCaller): Promise<AssetPage> {
    return this.assets.list(organizationId, filter);
  }

  @Post('assets')
  @OrganizationAccess('member')
  @Answers(
    201,
    Asset,
    'Create an asset',
    'An asset has the details of its class. Its `uri` consists of class and address, and is unique in the ' +
      'organization.',
  )
  @Refuses({ quota_exceeded: ['quota_exceeded'], conflict: ['asset_exists'] })
  @Examples({ body: careersSite })
  create(@Body() asset: AssetCreate, @Member() { organizationId }: OrganizationCaller): Promise<Asset> {
    return this.assets.create(organizationId, asset);
  }

  @Get('assets/:id')
  @OrganizationAccess('viewer')
  @Answers(200, Asset, 'Get an asset', 'One asset, with the details of its class and its tags.')
  get(@Param() { id }: AssetPath, @Member() { organizationId }: OrganizationCaller): Promise<Asset> {
    return this.assets.get(organizationId, id);
  }

  @Patch('assets/:id')
  @OrganizationAccess('member')
  @Answers(
    200,
    Asset,
    'Update an asset',
    'Omitted fields stay as they are; details and tags are replaced as a whole. The class cannot change.',
  )
  @Refuses({ conflict: ['asset_exists'] })
  update(
    @Param() { id }: AssetPath,
    @Body() changes: AssetUpdate,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<Asset> {
    return this.assets.update(organizationId, id, changes);
  }

  @Delete('assets/:id')
  @OrganizationAccess('member')
  @Answers(
    204,
    undefined,
    'Delete an asset',
    'Only an asset without scans and issues can be deleted, since these are records.',
  )
  @Refuses({ conflict: ['asset_in_use'] })
  @Examples({ id: demo('unusedAsset') })
  remove(@Param() { id }: AssetPath, @Member() { organizationId }: OrganizationCaller): Promise<void> {
    return this.assets.remove(organizationId, id);
  }
}
