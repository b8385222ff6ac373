import {
  BooleanField,
  DateTimeField,
  EnumField,
  IntegerField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { type LoginPage, loginPages } from './login-secrets.js';

// Unspecified: sign-in by OpenID Connect. The interface description only has passwords.

const maxToken = 128;
const maxState = 200;
const maxCode = 4_096;
const maxIssuer = 500;
const exampleToken = 'the login_token of the beginning';

export class OidcOptions {
  @StringField({
    nullable: true,
    description: 'The name of the provider, for a button; null if the service has none',
    example: null,
  })
  label: string | null;
  @BooleanField({ description: 'Whether admins sign in with the provider alone' })
  admins_by_provider_only: boolean;
}

/** Begins a link of the caller's account. */
export class OidcLinkStart {
  @EnumField(['console'], {
    default: 'console',
    description: 'The page that the browser returns to: the login of the console',
  })
  page: 'console';
}

export class OidcStart {
  @EnumField(loginPages, {
    default: 'console',
    description: 'The page that the browser returns to: the login of the console, or that of the shop front',
  })
  page: LoginPage;
  @BooleanField({
    default: false,
    description: 'Whether the user has to prove anew who they are, where they are signed in at the provider',
  })
  fresh: boolean;
}

export class OidcStarted {
  @StringField({
    description: 'Where to send the browser',
    example: 'https://login.example.com/authorize?client_id=store',
  })
  authorization_url: string;
  @StringField({ description: 'Keep it in the browser: it ends the sign-in, once', example: exampleToken })
  login_token: string;
  @IntegerField({ description: 'Seconds until it expires', example: 600 })
  expires_in: number;
}

/** What the provider added to the address of the page. */
export class OidcAnswer {
  @StringField({ maxLength: maxState, example: 'console.qJ0n' })
  state: string;
  @StringField({ optional: true, secret: true, maxLength: maxCode, example: 'the code of the provider' })
  code?: string;
  @StringField({ optional: true, maxLength: maxIssuer, example: 'https://login.example.com' })
  iss?: string;
  @StringField({ optional: true, maxLength: maxState, description: 'In place of a code, where it refuses' })
  error?: string;
}

export class OidcFinish extends OidcAnswer {
  @StringField({ secret: true, trimmed: true, maxLength: maxToken, example: exampleToken })
  login_token: string;
}

/** The same as a query, with whatever else the provider adds. */
export class OidcCallback {
  @StringField({ optional: true, maxLength: maxState })
  state?: string;
  @StringField({ optional: true, maxLength: maxCode })
  code?: string;
  @StringField({ optional: true, maxLength: maxIssuer })
  iss?: string;
  @StringField({ optional: true, maxLength: maxState })
  error?: string;
}

export class DeviceStarted {
  @StringField({ description: 'For POST /api/v1/auth/oidc/device/finish', example: exampleToken })
  login_token: string;
  @StringField({ description: 'What the user types in at the provider', example: 'WDJB-MJHT' })
  user_code: string;
  @StringField({ description: 'Where they type it in', example: 'https://login.example.com/device' })
  verification_uri: string;
  @StringField({ nullable: true, example: 'https://login.example.com/device?user_code=WDJB-MJHT' })
  verification_uri_complete: string | null;
  @IntegerField({ example: 600 })
  expires_in: number;
  @IntegerField({ description: 'The least seconds between two questions', example: 5 })
  interval: number;
}

export class DeviceFinish {
  @StringField({ secret: true, trimmed: true, maxLength: maxToken, example: exampleToken })
  login_token: string;
}

export class LogoutForm {
  @StringField({ secret: true, maxLength: 16_384 })
  logout_token: string;
}

/** A link of an account with a user of the provider. */
export class ProviderLink {
  @UuidField({ example: '0199a001-0000-7000-8000-000000000021' })
  id: string;
  @StringField({ example: 'https://login.example.com' })
  issuer: string;
  @StringField({ nullable: true, description: 'How the provider calls the user', example: 'maria.santos' })
  name: string | null;
  @DateTimeField()
  created_at: string;
  @DateTimeField()
  last_used_at: string;
}

export class ProviderLinkPath {
  @UuidField({ example: '0199a001-0000-7000-8000-000000000021' })
  link_id: string;
}
