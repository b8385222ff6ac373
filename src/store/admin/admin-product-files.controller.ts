import { Body, Controller, Get, HttpCode, Post, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AdminOnly } from '../../platform/auth/access.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { StreamedBody } from '../../platform/http/streamed-body.js';
import { IfMatch, TakesIfMatch } from '../../platform/http/if-match.js';
import { AskedBy, type Requester } from '../../platform/auth/caller.js';
import { IdempotencyKey, TakesIdempotencyKey } from '../../platform/http/idempotency-key.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { ProductBulkChange, ProductBulkResult } from '../catalogue/product-bulk.dto.js';
import { ProductBulkService } from '../catalogue/product-bulk.service.js';
import { ProductFilesService } from '../catalogue/product-files.service.js';
import { ProductImport, ProductImportQuery } from '../catalogue/product-files.dto.js';

const file =
  'id,name,description,price,stock,color,material,size,image_url,group_id,slug,sku,status,images,categories\r\n';
const requestBody = {
  required: true,
  content: { 'text/csv': { schema: { type: 'string' as const, format: 'binary' } } },
};

// Unspecified: the catalog as a file.
@ApiTags('admin')
@Controller('api/v1/admin/products')
export class AdminProductFilesController {
  constructor(
    private readonly files: ProductFilesService,
    private readonly bulk: ProductBulkService,
  ) {}

  @Post('bulk')
  @AdminOnly()
  @Scope('catalog:write')
  @HttpCode(200)
  @TakesIdempotencyKey('changes')
  @Answers(
    200,
    ProductBulkResult,
    'Change many products',
    'Changes the price by percent or amount, the status and the categories of up to 500 products, all or none; ids that no ' +
      'product has are named.',
  )
  @Refuses({ conflict: ['request_running'] })
  @Examples({ body: { ids: [demo('product')], price: { percent: -10 } } })
  change(
    @Body() change: ProductBulkChange,
    @AskedBy() by: Requester,
    @IdempotencyKey() key: string | null,
  ): Promise<ProductBulkResult> {
    return this.bulk.change(change, by, key);
  }

  @Get('export')
  @AdminOnly()
  @Scope('catalog:read')
  @ApiProduces('text/csv')
  @Answers(
    200,
    String,
    'Export all products as CSV',
    'CSV by RFC 4180, in UTF-8 with a byte order mark; the first line names the columns. A text that a spreadsheet ' +
      'would treat as a formula begins with an apostrophe, which an import removes: importing an unchanged export ' +
      'changes nothing.',
  )
  @Examples({
    answer: `${file}17,Linen Shirt,Breathable linen with a relaxed cut.,49.9,25,blue,linen,M,,,linen-shirt,,published,,\r\n`,
  })
  async export(): Promise<StreamableFile> {
    const options = { type: 'text/csv; charset=utf-8', disposition: 'attachment; filename="products.csv"' };
    return new StreamableFile(await this.files.export(), options);
  }

  @Post('import')
  @AdminOnly()
  @Scope('catalog:write')
  @StreamedBody()
  @Answers(
    200,
    ProductImport,
    'Import products from CSV',
    'Takes the columns of an export, in any order, separated by commas, semicolons or tabs, in UTF-8 or UTF-16: at ' +
      'most 10,000 products and 5 MiB. A line with an `id` updates that product; a line without one adds a ' +
      'product. Omitted columns stay as they are; an empty cell clears a field that may be empty. `images` has the ' +
      'pictures after `image_url`, each on a line of its own, with its alternative text after a space; `categories` has ' +
      'slugs with spaces between them; a `slug` must be free. Either all lines are imported or none: errors give a 422 ' +
      'that names each with its line. `dry_run` imports nothing and returns what would change, and all errors; send its ' +
      'ETag as `If-Match` to import exactly that, or to be refused if products have changed since.',
  )
  @TakesIfMatch()
  @Refuses({
    conflict: ['group_full', 'slug_taken', 'sku_taken'],
    precondition_failed: ['changed_meanwhile'],
    payload_too_large: ['payload_too_large'],
    unsupported_media_type: ['unsupported_media_type'],
    unavailable: ['busy'],
  })
  @ApiOperation({ requestBody })
  @Examples({
    body: `${file},Linen Shirt,Breathable linen with a relaxed cut.,49.90,25,blue,linen,M,,,,,published,,\r\n`,
  })
  import(
    @Query() { dry_run }: ProductImportQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() ifMatch: string | null,
  ): Promise<ProductImport> {
    return this.files.import(request, response, { dryRun: dry_run, ifMatch });
  }
}
