import { demo } from '../../platform/openapi/demo-values.js';
import {
  BooleanField,
  DateTimeField,
  IdField,
  IntegerField,
  NumberField,
  StringField,
} from '../../platform/validation/fields.js';
import { AdminPaging } from '../../platform/http/paging.js';
import { optionalText } from '../../platform/validation/texts.js';

const maxInteger = 2_147_483_647;

// Unspecified: the format of codes; capitals, digits and hyphens, which survive being read out and typed in.
const code = {
  trimmed: true,
  minLength: 3,
  maxLength: 32,
  pattern: /^[A-Za-z0-9-]*$/,
  patternHint: 'String should consist of letters, digits and hyphens',
  description: 'Letters, digits and hyphens; stored in capitals, case is ignored',
  example: 'WELCOME10',
};
const discountPercent = { above: 0, max: 100, decimals: 2, example: 10 };
const maxUses = { min: 1, max: maxInteger, example: 100 };

/** A coupon as the shop shows it. */
export class CouponInfo {
  @IntegerField()
  id: number;
  @StringField({ example: 'WELCOME10' })
  code: string;
  @NumberField({ example: 10 })
  discount_percent: number;
  @IntegerField({ example: 1000 })
  max_uses: number;
  @IntegerField({ example: 37 })
  current_uses: number;
  @DateTimeField({ nullable: true })
  expires_at: Date | null;
  @BooleanField()
  is_active: boolean;
  @BooleanField()
  is_public: boolean;
}

/** Says whether a code is usable now. */
export class CouponResponse {
  @StringField({ example: 'WELCOME10' })
  code: string;
  @NumberField({ description: '0 if there is no such coupon', example: 10 })
  discount_percent: number;
  @BooleanField()
  is_valid: boolean;
  @StringField({
    description: 'What the coupon gives, or why it cannot be used',
    example: 'The coupon takes 10% off',
  })
  message: string;
}

export class CouponQuery {
  // Unspecified: a longest code; the service refuses texts longer than any code, since the response repeats them.
  @StringField({ trimmed: true, maxLength: 255, description: 'Case is ignored', example: 'WELCOME10' })
  code: string;
}

export class CouponCreate {
  @StringField({ ...code, example: 'SPRING20' })
  code: string;
  @NumberField({ ...discountPercent, example: 20 })
  discount_percent: number;
  @IntegerField(maxUses)
  max_uses: number;
  @DateTimeField({ ...optionalText, description: 'null: never' })
  expires_at?: string | null;
  @BooleanField({ default: true })
  is_active: boolean;
  @BooleanField({ default: true, description: 'Whether the public list shows the coupon' })
  is_public: boolean;
}

/** Omitted fields stay as they are; null removes `expires_at`. */
export class CouponUpdate {
  @StringField({ ...code, optional: true, nullable: 'ignored' })
  code?: string;
  @NumberField({ ...discountPercent, optional: true, nullable: 'ignored' })
  discount_percent?: number;
  @IntegerField({ ...maxUses, optional: true, nullable: 'ignored' })
  max_uses?: number;
  @DateTimeField({ ...optionalText })
  expires_at?: string | null;
  @BooleanField({ optional: true, nullable: 'ignored' })
  is_active?: boolean;
  @BooleanField({ optional: true, nullable: 'ignored' })
  is_public?: boolean;
}

export class CouponFilter extends AdminPaging {
  @StringField({
    optional: true,
    maxLength: 200,
    description: 'Text to find in the code, ignoring case',
    example: 'spring',
  })
  search?: string;
}

export class CouponPath {
  @IdField({ example: demo('coupon') })
  coupon_id: number;
}
