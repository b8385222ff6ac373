import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { AddressesController } from './addresses.controller.js';
import { AddressesRepository } from './addresses.repository.js';
import { AddressesService } from './addresses.service.js';
import { UserAddressEntity } from './user-address.entity.js';

@Module({
  imports: [repositoriesOf([UserAddressEntity])],
  controllers: [AddressesController],
  providers: [AddressesService, AddressesRepository],
})
export class AddressesModule {}
