import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { BranchEntity } from './branch.entity.js';
import { BranchesController } from './branches.controller.js';
import { BranchesRepository } from './branches.repository.js';
import { BranchesService } from './branches.service.js';

@Module({
  imports: [repositoriesOf([BranchEntity])],
  controllers: [BranchesController],
  providers: [BranchesService, BranchesRepository],
  exports: [BranchesService],
})
export class BranchesModule {}
