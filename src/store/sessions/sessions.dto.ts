import { BooleanField, DateTimeField, StringField, UuidField } from '../../platform/validation/fields.js';

// Unspecified: sessions. The interface description only has access tokens.

/** A login on a device. */
export class Session {
  @UuidField({ example: '0199a001-0000-7000-8000-000000000011' })
  id: string;
  @StringField({ description: 'By the User-Agent of its login', example: 'Firefox on Linux' })
  device: string;
  @StringField({ description: 'Of its last use', example: '203.0.113.7' })
  address: string;
  @DateTimeField()
  created_at: string;
  @DateTimeField({ description: 'Its login, or the last time that its refresh token served' })
  last_used_at: string;
  @DateTimeField({ description: 'Unless it is used before' })
  expires_at: string;
  @BooleanField({ description: 'Whether the access token of this request is of it' })
  current: boolean;
}

export class SessionPath {
  @UuidField({ example: '0199a001-0000-7000-8000-000000000011' })
  session_id: string;
}
