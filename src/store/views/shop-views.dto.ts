import { AdminPaging } from '../../platform/http/paging.js';
import { BooleanField, DateTimeField, EnumField, StringField, UuidField } from '../../platform/validation/fields.js';

/** The lists of which views can be saved. */
export const viewedLists = ['orders', 'products'] as const;
export type ViewedList = (typeof viewedLists)[number];

const query = {
  maxLength: 2_000,
  description: "The query of the list's page in the console; the service keeps it as it is",
  example: 'status=paid&sort=-total',
} as const;

/** A saved filter of a list of the administration. */
export class ShopView {
  @UuidField()
  id: string;
  @EnumField(viewedLists)
  list: ViewedList;
  @StringField({ example: 'Paid, largest first' })
  name: string;
  @BooleanField({ description: 'Whether all admins see it; otherwise only the one who made it does' })
  shared: boolean;
  @StringField(query)
  query: string;
  @StringField({ nullable: true, description: 'Who made it; null once the account is gone', example: 'admin' })
  created_by: string | null;
  @DateTimeField()
  created_at: Date;
}

export class ShopViewFilter extends AdminPaging {
  @EnumField(viewedLists, { optional: true, description: 'Only views of this list' })
  list?: ViewedList;
}

export class ShopViewCreate {
  @EnumField(viewedLists, { example: 'orders' })
  list: ViewedList;
  @StringField({
    trimmed: true,
    minLength: 1,
    maxLength: 100,
    pattern: /\S/,
    patternHint: 'Input should have at least one visible character',
    example: 'Paid, largest first',
  })
  name: string;
  @BooleanField({ default: false, description: 'Whether all admins see it' })
  shared: boolean;
  @StringField(query)
  query: string;
}

export class ShopViewPath {
  @UuidField({ example: '0199a001-0000-7000-8000-000000000022' })
  view_id: string;
}
