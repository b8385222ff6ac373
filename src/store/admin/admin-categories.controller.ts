import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { IfMatch, TakesIfMatch, Versioned } from '../../platform/http/if-match.js';
import { AdminCategory, CategoryCreate, CategoryPath, CategoryUpdate } from '../catalogue/categories.dto.js';
import { CategoriesService } from '../catalogue/categories.service.js';

@ApiTags('admin')
@Controller('api/v1/admin/categories')
export class AdminCategoriesController {
  constructor(private readonly categories: CategoriesService) {}

  @Get(':slug')
  @AdminOnly()
  @Scope('catalog:read')
  @Versioned()
  @Answers(200, AdminCategory, 'Get a category', 'The category with its place in the tree.')
  @Refuses({ not_found: ['not_found'] })
  get(@Param() { slug }: CategoryPath): Promise<AdminCategory> {
    return this.categories.get(slug);
  }

  @Post()
  @AdminOnly()
  @Scope('catalog:write')
  @Versioned()
  @Answers(201, AdminCategory, 'Create a category', 'On the first level, or below a category of the first level.')
  @Refuses({ conflict: ['slug_taken', 'too_many_categories'] })
  create(@Body() category: CategoryCreate): Promise<AdminCategory> {
    return this.categories.create(category);
  }

  @Patch(':slug')
  @AdminOnly()
  @Scope('catalog:write')
  @Answers(200, AdminCategory, 'Change a category', 'Omitted fields stay as they are.')
  @TakesIfMatch()
  @Refuses({
    not_found: ['not_found'],
    conflict: ['slug_taken'],
    precondition_failed: ['changed_meanwhile'],
  })
  update(
    @Param() { slug }: CategoryPath,
    @Body() changes: CategoryUpdate,
    @IfMatch() ifMatch: string | null,
  ): Promise<AdminCategory> {
    return this.categories.update(slug, changes, ifMatch);
  }

  @Delete(':slug')
  @AdminOnly()
  @Scope('catalog:write')
  @Answers(204, undefined, 'Delete a category', 'Its products stay; they are no longer in it.')
  @Refuses({ not_found: ['not_found'], conflict: ['category_in_use'] })
  remove(@Param() { slug }: CategoryPath): Promise<void> {
    return this.categories.remove(slug);
  }
}
