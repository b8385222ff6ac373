import { Global, Module } from '@nestjs/common';
import { OrganizationDirectory } from '../../common/auth/organization-caller.js';
import { Organizations } from './organization-directory.js';

@Global()
@Module({
  providers: [{ provide: OrganizationDirectory, useClass: Organizations }],
  exports: [OrganizationDirectory],
})
export class OrganizationsModule {}
