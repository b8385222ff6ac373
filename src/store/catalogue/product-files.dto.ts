import { ArrayField, BooleanField, IntegerField, JsonField, StringField } from '../../platform/validation/fields.js';

export class ProductImportQuery {
  @BooleanField({ default: false, description: 'Whether to return what would change without changing anything' })
  dry_run: boolean;
}

/** A fault in a line of an imported file. */
export class ProductImportFault {
  @IntegerField({ description: 'The first line is 1', example: 3 })
  line: number;
  @StringField({ nullable: true, description: 'The column; null if it is about the whole line', example: 'price' })
  field: string | null;
  @StringField({ example: 'Input should be greater than or equal to 0' })
  detail: string;
}

/** The outcome for a product of a line of an imported file. */
export class ProductImportChange {
  @IntegerField({ example: 2 })
  line: number;
  @IntegerField({ nullable: true, description: 'null for a product that a dry run would create', example: 17 })
  id: number | null;
  @StringField({ example: 'Linen Shirt' })
  name: string;
  @JsonField({
    bounds: 'none',
    description: 'Each field that changes, with its values `from` and `to`; texts are cut to 200 characters',
    example: { price: { from: 49.9, to: 39.9 } },
  })
  fields: Record<string, { from: unknown; to: unknown }>;
}

/** The outcome of an import of products, done or only tried. */
export class ProductImport {
  @BooleanField({ description: 'Whether nothing was changed' })
  dry_run: boolean;
  @IntegerField({ example: 0 })
  created: number;
  @IntegerField({ example: 1 })
  updated: number;
  @IntegerField({ example: 24 })
  unchanged: number;
  @IntegerField({ description: 'The number of errors: with any error, nothing is imported', example: 0 })
  refused_count: number;
  @ArrayField(() => ProductImportFault, { description: 'The first 200 of them' })
  refused: ProductImportFault[];
  @ArrayField(() => ProductImportChange, { description: 'The first 200 of them' })
  changes: ProductImportChange[];
  @StringField({
    description: 'Identifies all changes, including those beyond the first 200',
    example: 'lSMqBh7mfGWhGQbEUbGBVSLW7mA',
  })
  digest: string;
}
