import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OpenUnderContract, Public } from '../../common/auth/access.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { Paging } from '../../common/http/paging.js';
import { Cacheable } from '../../common/public-reads/cacheable.js';
import { CatalogueService } from './catalogue.service.js';
import {
  Product,
  ProductColorFilter,
  ProductCreate,
  ProductPath,
  ProductSearch,
  ProductUpdate,
} from './catalogue.shapes.js';
import { assortment, descriptions, placesSortedBy, shownProducts } from './product-topics.js';

@ApiTags('products')
@Controller('api/v1/products')
export class CatalogueController {
  constructor(private readonly catalogue: CatalogueService) {}

  @Get('/')
  @Public()
  @Cacheable((products: Product[]) => [assortment, ...shownProducts(products)])
  @Answers(200, [Product], 'List products')
  list(@Query() paging: Paging): Promise<Product[]> {
    return this.catalogue.list(paging);
  }

  @Post('/')
  @OpenUnderContract('admin')
  @Answers(201, Product, 'Create a product')
  create(@Body() product: ProductCreate): Promise<Product> {
    return this.catalogue.create(product);
  }

  @Get('search/')
  @Public()
  @Cacheable((products: Product[]) => [assortment, descriptions, ...shownProducts(products)])
  @Answers(200, [Product], 'Search products by name or description')
  search(@Query() query: ProductSearch): Promise<Product[]> {
    return this.catalogue.search(query);
  }

  @Get('filter/by-color')
  @Public()
  @Cacheable((products: Product[], _, { sort }) => [...placesSortedBy(sort), ...shownProducts(products)])
  @Answers(200, [Product], 'List the products of a colour')
  filterByColor(@Query() filter: ProductColorFilter): Promise<Product[]> {
    return this.catalogue.filterByColor(filter);
  }

  @Get(':product_id')
  @Public()
  @Cacheable((product: Product) => shownProducts([product]))
  @Answers(200, Product, 'Get a product')
  @Refuses({ not_found: 'No such product' })
  get(@Param() { product_id }: ProductPath): Promise<Product> {
    return this.catalogue.get(product_id);
  }

  @Put(':product_id')
  @OpenUnderContract('admin')
  @Answers(200, Product, 'Update a product')
  @Refuses({ not_found: 'No such product' })
  update(@Param() { product_id }: ProductPath, @Body() changes: ProductUpdate): Promise<Product> {
    return this.catalogue.update(product_id, changes);
  }
}
