import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { IfMatch, TakesIfMatch, Versioned } from '../../platform/http/if-match.js';
import { CatalogueService } from '../catalogue/catalogue.service.js';
import { AdminProductCreate, AdminProductUpdate } from '../catalogue/admin-products.dto.js';
import { AdminProductFilter, Product, ProductDetail, ProductPath } from '../catalogue/catalogue.dto.js';
import { ProductEditingService } from '../catalogue/product-editing.service.js';
import { SaysIfSimilar } from '../catalogue/similar-header.js';

const conflict = ['slug_taken', 'sku_taken', 'group_full'] as const;

@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminProductsController {
  constructor(
    private readonly catalogue: CatalogueService,
    private readonly editing: ProductEditingService,
  ) {}

  @Get('products')
  @AdminOnly()
  @Scope('catalog:read')
  @CountsTotal()
  @SaysIfSimilar()
  @Answers(
    200,
    [Product],
    'List products',
    'All products, drafts too, in larger pages; filtered by `search` and `low_stock`.',
  )
  list(@Query() filter: AdminProductFilter): Promise<Product[]> {
    return this.catalogue.listForAdmin(filter);
  }

  @Get('products/:product_id')
  @AdminOnly()
  @Scope('catalog:read')
  @Versioned()
  @Answers(200, ProductDetail, 'Get a product', 'The product with the variants of its group; a draft too.')
  @Refuses({ not_found: ['not_found'] })
  get(@Param() { product_id }: ProductPath): Promise<ProductDetail> {
    return this.catalogue.getForAdmin(product_id);
  }

  @Post('products')
  @AdminOnly()
  @Scope('catalog:write')
  @Versioned()
  @Answers(
    201,
    ProductDetail,
    'Create a product',
    'Adds a product to the catalog, where it appears at once unless it is a draft.',
  )
  @Refuses({ conflict })
  create(@Body() product: AdminProductCreate): Promise<ProductDetail> {
    return this.editing.create(product);
  }

  @Put('products/:product_id')
  @AdminOnly()
  @Scope('catalog:write')
  @Answers(
    200,
    ProductDetail,
    'Update a product',
    'Omitted fields stay as they are; null clears a field that may be empty.',
  )
  @TakesIfMatch()
  @Refuses({ not_found: ['not_found'], conflict, precondition_failed: ['changed_meanwhile'] })
  update(
    @Param() { product_id }: ProductPath,
    @Body() changes: AdminProductUpdate,
    @IfMatch() ifMatch: string | null,
  ): Promise<ProductDetail> {
    return this.editing.update(product_id, changes, ifMatch, { seesDrafts: true });
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
    return this.editing.remove(product_id);
  }
}
