import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../common/auth/access.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { AdminPaging } from '../../common/http/paging.js';
import { CatalogueService } from '../catalogue/catalogue.service.js';
import { Product, ProductCreate, ProductPath, ProductUpdate } from '../catalogue/catalogue.shapes.js';

@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminProductsController {
  constructor(private readonly catalogue: CatalogueService) {}

  @Get('products')
  @AdminOnly()
  @Answers(200, [Product], 'List products')
  list(@Query() paging: AdminPaging): Promise<Product[]> {
    return this.catalogue.list(paging);
  }

  @Post('products')
  @AdminOnly()
  @Answers(201, Product, 'Create a product')
  create(@Body() product: ProductCreate): Promise<Product> {
    return this.catalogue.create(product);
  }

  @Put('products/:product_id')
  @AdminOnly()
  @Answers(200, Product, 'Update a product')
  @Refuses({ not_found: 'No such product' })
  update(@Param() { product_id }: ProductPath, @Body() changes: ProductUpdate): Promise<Product> {
    return this.catalogue.update(product_id, changes);
  }

  @Delete('products/:product_id')
  @AdminOnly()
  @Answers(204, undefined, 'Delete a product')
  @Refuses({ not_found: 'No such product' })
  remove(@Param() { product_id }: ProductPath): Promise<void> {
    return this.catalogue.remove(product_id);
  }
}
