import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OpenUnderContract, Public } from '../../platform/auth/access.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { Paging } from '../../platform/http/paging.js';
import { IfMatch, TakesIfMatch, Versioned } from '../../platform/http/if-match.js';
import { Cacheable } from '../../platform/cache/cacheable.js';
import { CatalogueService } from './catalogue.service.js';
import {
  Product,
  ProductColorFilter,
  ProductCreate,
  ProductPath,
  ProductSearch,
  ProductUpdate,
} from './catalogue.dto.js';
import { SaysIfSimilar } from './similar-header.js';
import { assortment, descriptions, placesSortedBy, shownProducts } from './product-cache-tags.js';

@ApiTags('products')
@Controller('api/v1/products/')
export class CatalogueController {
  constructor(private readonly catalogue: CatalogueService) {}

  @Get()
  @Public()
  @Cacheable((products: Product[]) => [assortment, ...shownProducts(products)])
  @CountsTotal()
  @Answers(200, [Product], 'List products', 'The catalog in the order of ids, in pages.')
  list(@Query() paging: Paging): Promise<Product[]> {
    return this.catalogue.list(paging);
  }

  @Post()
  @OpenUnderContract('admin')
  @Scope('catalog:write')
  @Versioned()
  @Answers(
    201,
    Product,
    'Create a product',
    'Adds a product to the catalog. The contract access policy leaves this open to everyone, as the interface ' +
      'description does; the hardened one requires an admin.',
  )
  create(@Body() product: ProductCreate): Promise<Product> {
    return this.catalogue.create(product);
  }

  @Get('search/')
  @Public()
  @Cacheable((products: Product[]) => [assortment, descriptions, ...shownProducts(products)])
  @CountsTotal()
  @SaysIfSimilar()
  @Answers(
    200,
    [Product],
    'Search products by name or description',
    'Finds products that have every word of `q` in their name or description, the best match first: the exact name, ' +
      'then all words in the name, then the rest. Case and accents are ignored. With `similar`, a misspelled or ' +
      'inflected word that no product has finds similar words.',
  )
  search(@Query() query: ProductSearch): Promise<Product[]> {
    return this.catalogue.search(query);
  }

  @Get('filter/by-color')
  @Public()
  @Cacheable((products: Product[], _, { sort }) => [...placesSortedBy(sort), ...shownProducts(products)])
  @CountsTotal()
  @Answers(
    200,
    [Product],
    'List the products of a color',
    'All products of one color, ignoring case, sorted by one of their fields.',
  )
  filterByColor(@Query() filter: ProductColorFilter): Promise<Product[]> {
    return this.catalogue.filterByColor(filter);
  }

  @Get(':product_id')
  @Public()
  @Cacheable((product: Product) => shownProducts([product]))
  @Answers(200, Product, 'Get a product', 'The current state of a product; a deleted one is a 404.')
  @Refuses({ not_found: ['not_found'] })
  get(@Param() { product_id }: ProductPath): Promise<Product> {
    return this.catalogue.get(product_id);
  }

  @Put(':product_id')
  @OpenUnderContract('admin')
  @Scope('catalog:write')
  @Answers(
    200,
    Product,
    'Update a product',
    'Omitted fields stay as they are. The contract access policy leaves this open to everyone, as the interface ' +
      'description does; the hardened one requires an admin.',
  )
  @TakesIfMatch()
  @Refuses({ not_found: ['not_found'], precondition_failed: ['changed_meanwhile'] })
  update(
    @Param() { product_id }: ProductPath,
    @Body() changes: ProductUpdate,
    @IfMatch() ifMatch: string | null,
  ): Promise<Product> {
    return this.catalogue.update(product_id, changes, ifMatch);
  }
}
