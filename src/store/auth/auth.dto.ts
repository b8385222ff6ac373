import { BooleanField, EnumField, IntegerField, StringField } from '../../platform/validation/fields.js';
import { OptionalBody } from '../../platform/validation/optional-body.js';
import { saidText } from '../../platform/validation/texts.js';

// Unspecified: lengths; longer than any account, password or token of ours.
const maxUsername = 255;
const maxPassword = 1_024;
const maxToken = 512;

export class UserLogin {
  @StringField({ maxLength: maxUsername, example: 'demo' })
  username: string;
  @StringField({ secret: true, maxLength: maxPassword, example: 'demo-shopper-1' })
  password: string;
}

// Unspecified: refresh tokens and the lifetime of tokens. Both are further fields of answers that the interface
// description has.
const refreshToken = {
  optional: true,
  description: 'For POST /api/v1/auth/refresh; omitted if it is in the cookie',
  example: 'srt_AZmgAQAAcACAAAAAAAAAEcnVzdHktZXhhbXBsZS10b2tlbg',
};
const expiresIn = { optional: true, description: 'Seconds until the access token expires', example: 3600 };

export const tokenPlaces = ['body', 'cookie'] as const;
export type TokenPlace = (typeof tokenPlaces)[number];

export class SessionChoice {
  @EnumField(tokenPlaces, {
    default: 'body',
    description:
      'Where the refresh token goes: `cookie` sets a cookie that scripts cannot read, only for pages of the ' +
      'same origin',
  })
  session: TokenPlace;
}

/** A token or, with two-factor login, the input of the second step. */
export class LoginResponse {
  @StringField({ optional: true, nullable: true, example: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI2ZjFjIn0.c2lnbmF0dXJl' })
  access_token: string | null;
  @StringField({ default: 'bearer' })
  token_type: string;
  @BooleanField({ default: false })
  requires_totp: boolean;
  @StringField({
    optional: true,
    nullable: true,
    description: 'For POST /api/v1/auth/login/totp; valid for five minutes',
  })
  temp_token: string | null;
  @StringField(refreshToken)
  refresh_token?: string;
  @IntegerField(expiresIn)
  expires_in?: number;
}

export class TOTPLoginRequest {
  @StringField({ secret: true, trimmed: true, maxLength: maxToken, example: 'the temp_token of the first step' })
  temp_token: string;
  @StringField({
    secret: true,
    trimmed: true,
    maxLength: maxToken,
    description: 'The code that the authenticator app shows, or a recovery code',
    example: '123456',
  })
  totp_code: string;
}

export class Token {
  @StringField({ example: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI2ZjFjIn0.c2lnbmF0dXJl' })
  access_token: string;
  @StringField({ default: 'bearer' })
  token_type: string;
  @StringField(refreshToken)
  refresh_token?: string;
  @IntegerField(expiresIn)
  expires_in?: number;
}

@OptionalBody()
export class RefreshRequest {
  @StringField({
    optional: true,
    secret: true,
    trimmed: true,
    maxLength: maxToken,
    description: 'Omitted by a browser that has it in the cookie',
    example: 'the refresh_token of a login',
  })
  refresh_token?: string;
}

// Unspecified: proving once more who one is, for what changes the account's factors and keys.
export class Reauthentication {
  @StringField({ secret: true, maxLength: maxPassword, example: 'demo-shopper-1' })
  password: string;
  @StringField({
    optional: true,
    nullable: 'ignored',
    secret: true,
    trimmed: true,
    maxLength: maxToken,
    description: 'With two-factor login: the code that the authenticator app shows, or a recovery code',
    example: '123456',
  })
  totp_code?: string;
}

export class PasswordChange {
  @StringField({ secret: true, maxLength: maxPassword, example: 'demo-shopper-1' })
  current_password: string;
  @StringField({ ...saidText, minLength: 8, maxLength: 128, secret: true, example: 'demo-shopper-1' })
  new_password: string;
}
