import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { AddressesService } from './addresses.service.js';
import { Address, AddressCreate, AddressPath, AddressUpdate } from './addresses.dto.js';

@ApiTags('users')
@Controller('api/v1/users/me/addresses')
export class AddressesController {
  constructor(private readonly addresses: AddressesService) {}

  @Get()
  @Bearer()
  @Answers(200, [Address], 'List your addresses', 'The default first, then the newest. There are at most ten.')
  list(@Caller() caller: CallerIdentity): Promise<Address[]> {
    return this.addresses.list(caller);
  }

  @Post()
  @Bearer()
  @Answers(
    201,
    Address,
    'Add an address',
    'For orders to come; none of yours is sent anywhere by it. The first one is the default.',
  )
  @Refuses({ quota_exceeded: ['quota_exceeded'] })
  create(@Body() address: AddressCreate, @Caller() caller: CallerIdentity): Promise<Address> {
    return this.addresses.create(address, caller);
  }

  @Put(':address_id')
  @Bearer()
  @Answers(
    200,
    Address,
    'Change an address',
    'Omitted fields stay as they are. Orders keep the address that they were placed with.',
  )
  @Refuses({ not_found: ['not_found'] })
  @Examples({ body: { is_default: true } })
  update(
    @Param() { address_id }: AddressPath,
    @Body() changes: AddressUpdate,
    @Caller() caller: CallerIdentity,
  ): Promise<Address> {
    return this.addresses.update(address_id, changes, caller);
  }

  @Delete(':address_id')
  @Bearer()
  @Answers(
    204,
    undefined,
    'Remove an address',
    'If it was the default, the newest of the others is the default from then on.',
  )
  @Refuses({ not_found: ['not_found'] })
  remove(@Param() { address_id }: AddressPath, @Caller() caller: CallerIdentity): Promise<void> {
    return this.addresses.remove(address_id, caller);
  }
}
