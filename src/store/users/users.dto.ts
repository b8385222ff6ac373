import { demo } from '../../platform/openapi/demo-values.js';
import type { Role } from '../../platform/auth/caller.js';
import { AdminPaging } from '../../platform/http/paging.js';
import { BooleanField, DateTimeField, EnumField, IntegerField, NumberField } from '../../platform/validation/fields.js';
import { StringField, UuidField } from '../../platform/validation/fields.js';
import { pictureUrl } from '../../platform/validation/picture-url.js';
import { optionalText, saidText } from '../../platform/validation/texts.js';
import { type RoleSource, roleSources } from './role-source.js';

export const roles = ['user', 'admin'] as const;

const maxName = 100;
const maxBio = 2_000;
const maxEmail = 254;

/** An account as its owner and admins see it. */
export class User {
  @StringField({ example: 'maria.santos' })
  username: string;
  @StringField({ format: 'email', example: 'maria.santos@example.com' })
  email: string;
  @UuidField()
  id: string;
  @DateTimeField()
  created_at: Date;
  @EnumField(roles)
  role: Role;
  @EnumField(roleSources, {
    default: 'default',
    description:
      'What gave the role: an admin (`hand`), a group at the provider of OpenID Connect (`groups`), which a later ' +
      'sign-in may take back, or nothing yet (`default`)',
  })
  role_source: RoleSource;
  @StringField({ optional: true, nullable: true, example: 'Maria' })
  first_name: string | null;
  @StringField({ optional: true, nullable: true, example: 'Santos' })
  last_name: string | null;
  @StringField({ optional: true, nullable: true, example: '/uploads/avatar/demo-avatar-maria.santos.webp' })
  avatar_url: string | null;
  @StringField({ optional: true, nullable: true, example: 'Architect, balcony gardener, owner of too many mugs.' })
  bio: string | null;
  @NumberField({ default: 0 })
  account_credit: number;
  @IntegerField({ default: 0 })
  referral_count: number;
  @BooleanField({ default: false })
  totp_enabled: boolean;
  @BooleanField({ default: true })
  can_be_deleted: boolean;
  @BooleanField({
    default: false,
    description: 'Whether the e-mail address is confirmed. Until then, mail goes to the previous confirmed one, if any',
  })
  email_verified: boolean;
  @BooleanField({ default: false, description: 'Whether an admin prevents its owner from signing in' })
  suspended: boolean;
}

const keptFromStrangers = {
  leftOut: true,
  description: 'Omitted if the access policy hides it from the caller',
} as const;

/** An account as others see it. */
export class UserDetail {
  @UuidField()
  id: string;
  @StringField({ example: 'maria.santos' })
  username: string;
  @StringField({ format: 'email', example: 'maria.santos@example.com' })
  email: string;
  @StringField({ optional: true, nullable: true, example: 'Maria' })
  first_name: string | null;
  @StringField({ optional: true, nullable: true, example: 'Santos' })
  last_name: string | null;
  @StringField({ optional: true, nullable: true })
  avatar_url: string | null;
  @StringField({ optional: true, nullable: true })
  bio: string | null;
  @NumberField({ default: 0, ...keptFromStrangers })
  account_credit?: number;
  @IntegerField({ default: 0 })
  referral_count: number;
  @EnumField(roles)
  role: Role;
  @DateTimeField()
  created_at: Date;
  @BooleanField({ default: false, ...keptFromStrangers })
  totp_enabled?: boolean;
  @BooleanField({ default: true, ...keptFromStrangers })
  can_be_deleted?: boolean;
  @BooleanField({ default: false, leftOut: true, description: 'As in User; only for admins' })
  suspended?: boolean;
  @EnumField(roleSources, { optional: true, description: 'As in User; only for admins' })
  role_source?: RoleSource;
}

export class UserPublic {
  @UuidField()
  id: string;
  @StringField({ example: 'maria.santos' })
  username: string;
}

/** The profile of an account, as registration and profile updates accept it. */
export class UserProfile {
  @StringField({ ...optionalText, maxLength: maxName })
  first_name?: string | null;
  @StringField({ ...optionalText, maxLength: maxName })
  last_name?: string | null;
  @StringField({ ...optionalText, ...pictureUrl })
  avatar_url?: string | null;
  @StringField({ ...optionalText, maxLength: maxBio })
  bio?: string | null;
}

export class UserCreate extends UserProfile {
  @StringField({
    minLength: 3,
    maxLength: 50,
    pattern: /^[A-Za-z0-9_.-]+$/,
    patternHint: 'Input should have only letters A-Z and a-z, digits, "_", "." and "-"',
    example: 'maria',
  })
  username: string;
  @StringField({ format: 'email', maxLength: maxEmail, example: 'maria@example.com' })
  email: string;
  @StringField({ ...saidText, minLength: 8, maxLength: 128, secret: true, example: 'correct-horse-7' })
  password: string;
  @StringField({
    ...optionalText,
    trimmed: true,
    maxLength: 255,
    description: 'The username of the account that recommended the shop',
  })
  referral_code?: string | null;
}

/** Omitted fields stay as they are; null empties a name, the avatar or the bio and is ignored elsewhere. */
export class UserUpdate extends UserProfile {
  @StringField({
    optional: true,
    nullable: 'ignored',
    format: 'email',
    maxLength: maxEmail,
    example: 'jordan.reed@example.com',
  })
  email?: string;
  @EnumField(roles, { optional: true, nullable: 'ignored', description: 'Only admins may change it' })
  role?: Role;
}

/** The fields of an account beyond its profile that admins may change. */
export class AccountStateUpdate {
  @EnumField(roles, { optional: true, nullable: 'ignored' })
  role?: Role;
  @BooleanField({ optional: true, nullable: 'ignored', example: true })
  can_be_deleted?: boolean;
  @BooleanField({
    optional: true,
    nullable: 'ignored',
    example: false,
    description: 'Whether it is prevented from signing in',
  })
  suspended?: boolean;
}

export class UserPath {
  // Unspecified: what an id may be; a longer text is refused, any other text that is not an id names no account.
  @StringField({ maxLength: 255, description: 'The id of an account', example: demo('shopper') })
  user_uuid: string;
}

/** The administration's list of accounts. */
export const userSorts = ['-created_at', 'created_at', 'username', '-username'] as const;
export type UserSort = (typeof userSorts)[number];

export class UserFilter extends AdminPaging {
  // Unspecified: the filters.
  @StringField({
    optional: true,
    trimmed: true,
    minLength: 2,
    maxLength: 254,
    description:
      'Only accounts whose username, e-mail address, first or last name has words that begin with these, ' +
      'ignoring case and accents. Three or more letters are also found inside a username or e-mail address',
    example: 'maria santos',
  })
  search?: string;
  @EnumField(roles, { optional: true })
  role?: Role;
  @EnumField(userSorts, { default: '-created_at', description: 'By age or username, "-" for descending' })
  sort: UserSort;
}

/** The paging of the public user list, whose bounds the interface description does not declare. */
export class UserPaging {
  // Unspecified: bounds; the nearest sensible value replaces one beyond them, so that no call fails.
  @IntegerField({ min: 0, clamp: true, default: 0, description: 'The number of entries to skip' })
  skip: number;
  @IntegerField({ min: 0, max: 1000, clamp: true, default: 10, description: 'The number of accounts, at most 1000' })
  limit: number;
}
