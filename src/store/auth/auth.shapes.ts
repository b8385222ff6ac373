import { BooleanField, StringField } from '../../common/validation/fields.js';

export class UserLogin {
  @StringField({ example: 'maria' })
  username: string;
  @StringField({ secret: true })
  password: string;
}

/** A token, or with two-factor login what the second step needs. */
export class LoginResponse {
  @StringField({ optional: true, nullable: true })
  access_token: string | null;
  @StringField({ default: 'bearer' })
  token_type: string;
  @BooleanField({ default: false })
  requires_totp: boolean;
  @StringField({ optional: true, nullable: true, description: 'For POST /api/v1/auth/login/totp; lives five minutes' })
  temp_token: string | null;
}

export class TOTPLoginRequest {
  @StringField({ secret: true })
  temp_token: string;
  @StringField({ secret: true, description: 'The code that the authenticator app shows, or a recovery code' })
  totp_code: string;
}

export class Token {
  @StringField()
  access_token: string;
  @StringField({ default: 'bearer' })
  token_type: string;
}

export class PasswordChange {
  @StringField({ secret: true })
  current_password: string;
  @StringField({ minLength: 8, maxLength: 128, secret: true })
  new_password: string;
}
