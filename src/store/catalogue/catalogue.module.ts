import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { CatalogueController } from './catalogue.controller.js';
import { CatalogueRepository } from './catalogue.repository.js';
import { CatalogueService } from './catalogue.service.js';
import { ProductFilesRepository } from './product-files.repository.js';
import { ProductFilesService } from './product-files.service.js';
import { CatalogueSearches } from './catalogue-searches.js';
import { CategoriesController } from './categories.controller.js';
import { CategoriesRepository } from './categories.repository.js';
import { CategoriesService } from './categories.service.js';
import { ListingsRepository } from './listings.repository.js';
import { ListingsService } from './listings.service.js';
import { ProductDetailsRepository } from './product-details.repository.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { ProductBulkService } from './product-bulk.service.js';
import { ProductEditingService } from './product-editing.service.js';
import { CategoryEntity } from './category.entity.js';
import { ProductCategoryEntity } from './product-category.entity.js';
import { ProductImageEntity } from './product-image.entity.js';
import { ProductListingEntity } from './product-listing.entity.js';
import { ProductSlugEntity } from './product-slug.entity.js';
import { ProductSearchEntity } from './product-search.entity.js';
import { ProductWordEntity } from './product-word.entity.js';
import { ProductEvents } from './product-events.js';
import { StoreEventsModule } from '../events/store-events.module.js';
import { ProductEntity } from './product.entity.js';

@Module({
  imports: [
    StoreEventsModule,
    IdempotencyModule,
    repositoriesOf([
      ProductEntity,
      ProductSearchEntity,
      ProductWordEntity,
      ProductSlugEntity,
      ProductImageEntity,
      ProductListingEntity,
      ProductCategoryEntity,
      CategoryEntity,
    ]),
  ],
  controllers: [CatalogueController, CategoriesController],
  providers: [
    CatalogueService,
    CatalogueRepository,
    CatalogueSearches,
    CategoriesService,
    CategoriesRepository,
    ListingsService,
    ListingsRepository,
    ProductDetailsRepository,
    ProductBulkService,
    ProductEditingService,
    ProductFilesService,
    ProductFilesRepository,
    ProductEvents,
  ],
  exports: [CatalogueService, CategoriesService, ProductBulkService, ProductEditingService, ProductFilesService],
})
export class CatalogueModule {}
