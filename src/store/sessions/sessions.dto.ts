import { BooleanField, DateTimeField, StringField, UuidField } from '../../platform/validation/fields.js';

// Unspecified: sessions. The interface description only has access tokens.

/** A login on a device. */
export class Session {
  @UuidField({ example: '0199a001-0000-7000-8000-000000000011' })
  id: string;
  @StringField({ description: 'The device, from the User-Agent of the login', example: 'Firefox on Linux' })
  device: string;
  @StringField({ description: 'Of its last use', example: '203.0.113.7' })
  address: string;
  @DateTimeField()
  created_at: string;
  @DateTimeField({ description: 'The time of the login, or of the last use of the refresh token' })
  last_used_at: string;
  @DateTimeField({ description: 'When it ends unless it is used before' })
  expires_at: string;
  @BooleanField({ description: 'Whether the access token of this request belongs to it' })
  current: boolean;
}

export class SessionPath {
  @UuidField({ example: '0199a001-0000-7000-8000-000000000011' })
  session_id: string;
}
