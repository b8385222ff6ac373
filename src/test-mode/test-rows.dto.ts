import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  IntegerField,
  NumberField,
  StringField,
  UuidField,
} from '../platform/validation/fields.js';
import { ProductCreate } from '../store/catalogue/catalogue.dto.js';
import { CouponCreate } from '../store/coupons/coupons.dto.js';
import { type OrderStatus, orderStatuses } from '../store/orders/order-status.js';

const when = { optional: true, description: 'When it was made; now if omitted' };
const id = { min: 1, max: 2_147_483_647 };

export class TestUserCreate {
  @UuidField({ optional: true })
  id?: string;
  @StringField({ minLength: 3, maxLength: 50, pattern: /^[A-Za-z0-9_.-]+$/ })
  username: string;
  @StringField({ optional: true, format: 'email', maxLength: 254 })
  email?: string;
  @StringField({ optional: true, secret: true, minLength: 8, maxLength: 128 })
  password?: string;
  @EnumField(['user', 'admin'], { default: 'user' })
  role: 'user' | 'admin';
  @BooleanField({ default: true })
  email_verified: boolean;
  @BooleanField({ default: false, description: 'Whether an admin has suspended it' })
  suspended: boolean;
  @BooleanField({ default: false, description: 'Whether it has two-factor login: POST /test/totp tells the codes' })
  totp: boolean;
  @DateTimeField(when)
  created_at?: string;
}

export class TestUser {
  @UuidField()
  id: string;
  @StringField()
  username: string;
  @StringField()
  email: string;
  @StringField()
  password: string;
}

export class TestProductCreate extends ProductCreate {
  @DateTimeField(when)
  created_at?: string;
}

export class TestCouponCreate extends CouponCreate {
  @IntegerField({ default: 0, min: 0, max: 2_147_483_647 })
  current_uses: number;
  @DateTimeField(when)
  created_at?: string;
}

export class TestOrderLine {
  @IntegerField(id)
  product_id: number;
  @IntegerField({ default: 1, min: 1, max: 1_000 })
  quantity: number;
}

export class TestOrderCreate {
  @StringField({ maxLength: 50, example: 'demo' })
  username: string;
  @EnumField(orderStatuses, { default: 'pending' })
  status: OrderStatus;
  @ArrayField(() => TestOrderLine, { minItems: 1, maxItems: 50 })
  items: TestOrderLine[];
  @NumberField({ default: 0, min: 0, max: 10_000, decimals: 2 })
  shipping_cost: number;
  @StringField({ optional: true, maxLength: 200 })
  tracking_number?: string;
  @DateTimeField(when)
  created_at?: string;
}

const mostRows = { default: [], maxItems: 1_000 };

/** What a file of rows holds; ids of products, coupons and orders begin with 1, in its order. */
export class TestFixture {
  @ArrayField(() => TestUserCreate, mostRows)
  users: TestUserCreate[];
  @ArrayField(() => TestProductCreate, mostRows)
  products: TestProductCreate[];
  @ArrayField(() => TestCouponCreate, mostRows)
  coupons: TestCouponCreate[];
  @ArrayField(() => TestOrderCreate, mostRows)
  orders: TestOrderCreate[];
}
