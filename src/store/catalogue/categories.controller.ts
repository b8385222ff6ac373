import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/auth/access.js';
import { Cacheable } from '../../platform/cache/cacheable.js';
import { Answers } from '../../platform/http/answers.js';
import { CategoriesService } from './categories.service.js';
import { Categories } from './categories.dto.js';
import { assortment, categoryNames, descriptions } from './product-cache-tags.js';

@ApiTags('products')
@Controller('api/v1/categories')
export class CategoriesController {
  constructor(private readonly categories: CategoriesService) {}

  @Get()
  @Public()
  @Cacheable(() => [categoryNames, assortment, descriptions])
  @Answers(200, Categories, 'List the categories', 'All categories of products as a tree of two levels.')
  tree(): Promise<Categories> {
    return this.categories.tree();
  }
}
