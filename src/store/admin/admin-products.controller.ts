import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { IfMatch, TakesIfMatch, Versioned } from '../../platform/http/if-match.js';
import { CatalogueService } from '../catalogue/catalogue.service.js';
import { AdminProductFilter, Product, ProductCreate, ProductPath, ProductUpdate } from '../catalogue/catalogue.dto.js';
import { SaysIfSimilar } from '../catalogue/similar-header.js';

@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminProductsController {
  constructor(private readonly catalogue: CatalogueService) {}

  @Get('products')
  @AdminOnly()
  @Scope('catalog:read')
  @CountsTotal()
  @SaysIfSimilar()
  @Answers(
    200,
    [Product],
    'List products',
    'The same products as in the catalog, in larger pages; filtered by `search` and `low_stock`.',
  )
  list(@Query() filter: AdminProductFilter): Promise<Product[]> {
    return this.catalogue.listForAdmin(filter);
  }

  @Post('products')
  @AdminOnly()
  @Scope('catalog:write')
  @Versioned()
  @Answers(201, Product, 'Create a product', 'Adds a product to the catalog, where it appears at once.')
  create(@Body() product: ProductCreate): Promise<Product> {
    return this.catalogue.create(product);
  }

  @Put('products/:product_id')
  @AdminOnly()
  @Scope('catalog:write')
  @Answers(200, Product, 'Update a product', 'Omitted fields stay as they are; null clears a field that may be empty.')
  @TakesIfMatch()
  @Refuses({ not_found: ['not_found'], precondition_failed: ['changed_meanwhile'] })
  update(
    @Param() { product_id }: ProductPath,
    @Body() changes: ProductUpdate,
    @IfMatch() ifMatch: string | null,
  ): Promise<Product> {
    return this.catalogue.update(product_id, changes, ifMatch);
  }

  @Delete('products/:product_id')
  @AdminOnly()
  @Scope('catalog:write')
  @Answers(
    204,
    undefined,
    'Delete a product',
    'Removes the product from the catalog and from every cart. Orders that contain it stay as they are.',
  )
  @Refuses({ not_found: ['not_found'] })
  remove(@Param() { product_id }: ProductPath): Promise<void> {
    return this.catalogue.remove(product_id);
  }
}
