import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OpenUnderContract, Public } from '../../platform/auth/access.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { IfMatch, TakesIfMatch, Versioned } from '../../platform/http/if-match.js';
import { Cacheable } from '../../platform/cache/cacheable.js';
import { CatalogueService } from './catalogue.service.js';
import {
  Product,
  ProductColorFilter,
  ProductCreate,
  ProductDetail,
  ProductPath,
  ProductSlugPath,
  ProductUpdate,
  RelatedProducts,
} from './catalogue.dto.js';
import { FacetsQuery, ProductFacets, ProductList, ProductSearch } from './listings.dto.js';
import { ListingsService } from './listings.service.js';
import { ProductEditingService } from './product-editing.service.js';
import { SaysIfSimilar } from './similar-header.js';
import {
  assortment,
  bestRated,
  categoryNames,
  descriptions,
  inStock,
  placesOf,
  placesSortedBy,
  productCacheTag,
  productPage,
  shownProducts,
} from './product-cache-tags.js';

@ApiTags('products')
@Controller('api/v1/products/')
export class CatalogueController {
  constructor(
    private readonly catalogue: CatalogueService,
    private readonly editing: ProductEditingService,
    private readonly listings: ListingsService,
  ) {}

  @Get()
  @Public()
  @Cacheable((products: Product[], _, query) => [...placesOf(query), ...shownProducts(products)])
  @CountsTotal()
  @Answers(
    200,
    [Product],
    'List products',
    'The catalog in pages, in the order of ids unless `sort` says another one. Filters narrow it; the total then counts ' +
      'up to 10,000.',
  )
  list(@Query() query: ProductList): Promise<Product[]> {
    return this.catalogue.list(query);
  }

  @Post()
  @OpenUnderContract('admin')
  @Scope('catalog:write')
  @Versioned()
  @Answers(
    201,
    ProductDetail,
    'Create a product',
    'Adds a product to the catalog. The contract access policy leaves this open to everyone, as the interface ' +
      'description does; the hardened one requires an admin.',
  )
  create(@Body() product: ProductCreate): Promise<ProductDetail> {
    return this.editing.create(product);
  }

  @Get('search/')
  @Public()
  @Cacheable((products: Product[], _, query) => [...placesOf(query), descriptions, ...shownProducts(products)])
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

  // Unspecified: facets, slugs and related products.
  @Get('facets')
  @Public()
  @Cacheable(() => [assortment, descriptions, inStock, categoryNames])
  @Answers(
    200,
    ProductFacets,
    'Count what filters leave',
    'How many products the filters of the list, or of the search with `q`, leave, and how many of these have each category, ' +
      'color, size and material. It counts the first 10,000 matches.',
  )
  facets(@Query() query: FacetsQuery): Promise<ProductFacets> {
    return this.listings.facets(query);
  }

  @Get('by-slug/:slug')
  @Public()
  @Cacheable(productPage)
  @Answers(
    200,
    ProductDetail,
    'Get a product by its slug',
    'An earlier slug leads to the product too, whose `slug` then differs.',
  )
  @Refuses({ not_found: ['not_found'] })
  getBySlug(@Param() { slug }: ProductSlugPath): Promise<ProductDetail> {
    return this.catalogue.getBySlug(slug);
  }

  @Get(':product_id/related')
  @Public()
  @Cacheable(({ products }: RelatedProducts, { product_id }) => [
    assortment,
    descriptions,
    bestRated,
    productCacheTag(Number(product_id)),
    ...shownProducts(products),
  ])
  @Answers(
    200,
    RelatedProducts,
    'List related products',
    'Products of the same categories, the best rated first; the newest ones for a product without a category.',
  )
  @Refuses({ not_found: ['not_found'] })
  related(@Param() { product_id }: ProductPath): Promise<RelatedProducts> {
    return this.listings.related(product_id);
  }

  @Get(':product_id')
  @Public()
  @Cacheable(productPage)
  @Answers(
    200,
    ProductDetail,
    'Get a product',
    'The current state of a product with the variants of its group; a deleted one is a 404.',
  )
  @Refuses({ not_found: ['not_found'] })
  get(@Param() { product_id }: ProductPath): Promise<ProductDetail> {
    return this.catalogue.get(product_id);
  }

  @Put(':product_id')
  @OpenUnderContract('admin')
  @Scope('catalog:write')
  @Answers(
    200,
    ProductDetail,
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
  ): Promise<ProductDetail> {
    return this.editing.update(product_id, changes, ifMatch, { seesDrafts: false });
  }
}
