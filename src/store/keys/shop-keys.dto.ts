import { type KeyScope, keyScopes } from '../../platform/auth/scopes.js';
import { DateTimeField, EnumListField, StringField, UuidField } from '../../platform/validation/fields.js';
import { optionalText } from '../../platform/validation/texts.js';

/** A key of the shop without the key itself, which only its creation shows. */
export class ShopKey {
  @UuidField()
  id: string;
  @StringField({ example: 'ERP' })
  name: string;
  @EnumListField(keyScopes, { example: ['orders:read', 'orders:write'] })
  scopes: KeyScope[];
  @StringField({ description: 'How the key begins', example: 'sk_a1B2c3D4' })
  prefix: string;
  @StringField({ nullable: true, description: 'Who made it; null once the account is gone', example: 'admin' })
  created_by: string | null;
  @DateTimeField()
  created_at: Date;
  @DateTimeField({ nullable: true, description: 'null: it does not expire' })
  expires_at: Date | null;
  @DateTimeField({ nullable: true, description: 'To the minute' })
  last_used_at: Date | null;
  @DateTimeField({ nullable: true })
  revoked_at: Date | null;
}

/** A new key. */
export class ShopKeyCreated extends ShopKey {
  @StringField({
    description: 'Shown this once: send it as `Authorization: Bearer KEY`',
    example: 'sk_a1B2c3D4_the_rest_of_the_key',
  })
  key: string;
}

export class ShopKeyCreate {
  @StringField({
    trimmed: true,
    minLength: 1,
    maxLength: 200,
    pattern: /\S/,
    patternHint: 'Input should have at least one visible character',
    description: 'What uses it; the audit log shows it',
    example: 'ERP',
  })
  name: string;
  @EnumListField(keyScopes, {
    minItems: 1,
    maxItems: keyScopes.length,
    description: 'What the key may do; one that is named twice counts once',
    example: ['orders:read', 'orders:write'],
  })
  scopes: KeyScope[];
  @DateTimeField({ ...optionalText, description: 'A time to come; null for never' })
  expires_at?: string | null;
}

export class ShopKeyPath {
  @UuidField({ example: '0199a001-0000-7000-8000-000000000014' })
  key_id: string;
}
