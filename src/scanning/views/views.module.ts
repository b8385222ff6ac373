import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { ViewEntity } from './view.entity.js';
import { ViewsController } from './views.controller.js';
import { ViewsRepository } from './views.repository.js';
import { ViewsService } from './views.service.js';

@Module({
  imports: [repositoriesOf([ViewEntity])],
  controllers: [ViewsController],
  providers: [ViewsService, ViewsRepository],
  exports: [ViewsService],
})
export class ViewsModule {}
