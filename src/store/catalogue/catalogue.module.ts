import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { CatalogueController } from './catalogue.controller.js';
import { CatalogueRepository } from './catalogue.repository.js';
import { CatalogueService } from './catalogue.service.js';
import { ProductFilesRepository } from './product-files.repository.js';
import { ProductFilesService } from './product-files.service.js';
import { ProductSearchEntity } from './product-search.entity.js';
import { ProductWordEntity } from './product-word.entity.js';
import { ProductEvents } from './product-events.js';
import { StoreEventsModule } from '../events/store-events.module.js';
import { ProductEntity } from './product.entity.js';

@Module({
  imports: [StoreEventsModule, repositoriesOf([ProductEntity, ProductSearchEntity, ProductWordEntity])],
  controllers: [CatalogueController],
  providers: [CatalogueService, CatalogueRepository, ProductFilesService, ProductFilesRepository, ProductEvents],
  exports: [CatalogueService, ProductFilesService],
})
export class CatalogueModule {}
