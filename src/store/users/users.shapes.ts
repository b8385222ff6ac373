import type { Role } from '../../common/auth/caller.js';
import { BooleanField, DateTimeField, EnumField, IntegerField, NumberField } from '../../common/validation/fields.js';
import { StringField, UuidField } from '../../common/validation/fields.js';

export const roles = ['user', 'admin'] as const;

const maxName = 100;
const maxBio = 2_000;
const maxEmail = 254;

// Not shown: what an avatar's address may be. Web pages show it, so it is http(s) or one of our own pictures.
const avatarUrl = {
  optional: true,
  nullable: true,
  maxLength: 2_048,
  pattern: /^(https?:\/\/[^\s/<>"'`]+[^\s<>"'`]*|\/uploads\/[\w./-]+)$/i,
  patternHint: 'Input should be an http(s) URL, or the path of an upload such as /uploads/avatar/picture.webp',
} as const;

/** An account as its owner and admins see it. */
export class User {
  @StringField()
  username: string;
  @StringField({ format: 'email' })
  email: string;
  @UuidField()
  id: string;
  @DateTimeField()
  created_at: Date;
  @EnumField(roles)
  role: Role;
  @StringField({ optional: true, nullable: true })
  first_name: string | null;
  @StringField({ optional: true, nullable: true })
  last_name: string | null;
  @StringField({ optional: true, nullable: true })
  avatar_url: string | null;
  @StringField({ optional: true, nullable: true })
  bio: string | null;
  @NumberField({ default: 0 })
  account_credit: number;
  @IntegerField({ default: 0 })
  referral_count: number;
  @BooleanField({ default: false })
  totp_enabled: boolean;
  @BooleanField({ default: true })
  can_be_deleted: boolean;
}

/** An account as others see it. */
export class UserDetail {
  @UuidField()
  id: string;
  @StringField()
  username: string;
  @StringField({ format: 'email' })
  email: string;
  @StringField({ optional: true, nullable: true })
  first_name: string | null;
  @StringField({ optional: true, nullable: true })
  last_name: string | null;
  @StringField({ optional: true, nullable: true })
  avatar_url: string | null;
  @StringField({ optional: true, nullable: true })
  bio: string | null;
  @NumberField({ default: 0, description: 'Left out where the access policy keeps it from the caller' })
  account_credit?: number;
  @IntegerField({ default: 0 })
  referral_count: number;
  @EnumField(roles)
  role: Role;
  @DateTimeField()
  created_at: Date;
  @BooleanField({ default: false })
  totp_enabled: boolean;
  @BooleanField({ default: true })
  can_be_deleted: boolean;
}

export class UserPublic {
  @UuidField()
  id: string;
  @StringField()
  username: string;
}

/** What an account tells of its owner, as register and profile updates take it. */
export class UserProfile {
  @StringField({ optional: true, nullable: true, maxLength: maxName })
  first_name?: string | null;
  @StringField({ optional: true, nullable: true, maxLength: maxName })
  last_name?: string | null;
  @StringField(avatarUrl)
  avatar_url?: string | null;
  @StringField({ optional: true, nullable: true, maxLength: maxBio })
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
  @StringField({ minLength: 8, maxLength: 128, secret: true })
  password: string;
  @StringField({ optional: true, nullable: true, description: 'The username of whoever recommended the shop' })
  referral_code?: string | null;
}

/** What is left out stays as it is; null empties a name, the avatar or the bio, and leaves the others as they are. */
export class UserUpdate extends UserProfile {
  @StringField({ optional: true, nullable: 'ignored', format: 'email', maxLength: maxEmail })
  email?: string;
  @EnumField(roles, { optional: true, nullable: 'ignored', description: 'Another role is for admins to give' })
  role?: Role;
}

/** What admins may change of an account beyond its profile. */
export class UserStanding {
  @EnumField(roles, { optional: true, nullable: 'ignored' })
  role?: Role;
  @BooleanField({ optional: true, nullable: 'ignored' })
  can_be_deleted?: boolean;
}

export class UserPath {
  @StringField({ description: 'The id of an account' })
  user_uuid: string;
}

/** The paging of the public user list, whose bounds the document does not declare. */
export class UserPaging {
  // Not shown: bounds; values beyond are moved to the nearest one that makes sense, so that no call fails.
  @IntegerField({ min: 0, clamp: true, default: 0, description: 'How many entries to pass over' })
  skip: number;
  @IntegerField({ min: 0, max: 1000, clamp: true, default: 10, description: 'How many to answer, at most 1000' })
  limit: number;
}
