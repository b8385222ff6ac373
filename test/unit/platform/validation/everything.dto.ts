import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  EnumListField,
  IdField,
  IntegerField,
  JsonField,
  ListField,
  NumberField,
  ObjectField,
  StringField,
  UuidField,
} from '../../../../src/platform/validation/fields.js';

export class Address {
  @StringField({ minLength: 1, maxLength: 20 })
  city: string;
  @StringField({ maxLength: 20, default: 'United States' })
  country: string;
}

export class Line {
  @IdField()
  product_id: number;
  @IntegerField({ min: 1, max: 999, optional: true, nullable: 'ignored' })
  quantity?: number;
}

/** A field of every kind. */
export class Everything {
  @StringField({ minLength: 1, maxLength: 10 })
  name: string;
  @StringField({ optional: true, secret: true, minLength: 8, maxLength: 20 })
  password?: string;
  @StringField({
    optional: true,
    nullable: true,
    maxLength: 20,
    pattern: /^[A-Z]+$/,
    patternHint: 'Capital letters alone',
  })
  code?: string | null;
  @StringField({ optional: true, format: 'email' })
  email?: string;
  @UuidField({ optional: true })
  uuid?: string;
  @DateTimeField({ optional: true })
  at?: string;
  @IntegerField({ min: -5, max: 5, default: 1 })
  count: number;
  @NumberField({ optional: true, above: 0, max: 100, decimals: 2 })
  percent?: number;
  @IdField({ optional: true })
  id?: number;
  @BooleanField({ default: false })
  flag: boolean;
  @EnumField(['red', 'green', 'blue'], { optional: true, nullable: true })
  color?: string | null;
  @ObjectField(() => Address, { optional: true, nullable: true })
  address?: Address | null;
  @ArrayField(() => Line, { optional: true, maxItems: 100 })
  lines?: Line[];
  @EnumListField(['a', 'b'], { optional: true, maxItems: 3 })
  letters?: string[];
  @ListField({ kind: 'integer', min: 0 }, { maxItems: 1_000, default: [] })
  numbers: number[];
  @JsonField({ optional: true })
  anything?: Record<string, unknown>;
}
