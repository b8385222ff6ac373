import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, StringField } from '../../common/validation/fields.js';

export class TOTPVerifyRequest {
  @StringField({ secret: true, description: 'The code that the authenticator app shows', example: '123456' })
  token: string;
}

export class TOTPSetupResponse {
  @StringField({ description: 'The secret in base32' })
  secret: string;
  @StringField({ description: 'A PNG as data URL, to be scanned by an authenticator app' })
  qr_code: string;
  @StringField({ description: 'The secret in groups of four, to be typed into an authenticator app' })
  manual_entry_key: string;
}

export class TOTPStatusResponse {
  @BooleanField()
  enabled: boolean;
}

// Not shown: the bodies of enable, disable and verify.
export class TOTPEnabled {
  @BooleanField()
  enabled: boolean;
  @StringField()
  message: string;
  @ApiProperty({ type: [String], description: 'Each serves once in place of a code; they are shown only here' })
  recovery_codes: string[];
}

export class TOTPDisabled {
  @BooleanField()
  enabled: boolean;
  @StringField()
  message: string;
}

export class TOTPVerified {
  @BooleanField()
  valid: boolean;
}
