import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { BooleanField, StringField } from '../../platform/validation/fields.js';

// Unspecified: lengths; longer than any code.
const maxCode = 100;

const recoveryCodes: ApiPropertyOptions = {
  type: [String],
  example: ['k7mq-2x9d'],
  description: 'Each works once in place of a code; they are shown only here',
};

export class TOTPVerifyRequest {
  @StringField({
    secret: true,
    trimmed: true,
    maxLength: maxCode,
    description: 'The code that the authenticator app shows',
    example: '123456',
  })
  token: string;
}

export class TOTPSetupResponse {
  @StringField({ description: 'The secret in base32', example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' })
  secret: string;
  @StringField({
    description: 'A PNG as data URL, to be scanned by an authenticator app',
    example: 'data:image/png;base64,iVBORw0KGgo=',
  })
  qr_code: string;
  @StringField({
    description: 'The secret in groups of four, to be typed into an authenticator app',
    example: 'JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP',
  })
  manual_entry_key: string;
}

export class TOTPStatusResponse {
  @BooleanField()
  enabled: boolean;
}

// Unspecified: the bodies of enable, disable and verify.
export class TOTPEnabled {
  @BooleanField()
  enabled: boolean;
  @StringField({ example: 'Two-factor login is enabled' })
  message: string;
  @ApiProperty(recoveryCodes)
  recovery_codes: string[];
}

export class TOTPRecoveryCodes {
  @StringField({ example: 'The earlier recovery codes no longer work' })
  message: string;
  @ApiProperty(recoveryCodes)
  recovery_codes: string[];
}

export class TOTPDisabled {
  @BooleanField()
  enabled: boolean;
  @StringField({ example: 'Two-factor login is disabled' })
  message: string;
}

export class TOTPVerified {
  @BooleanField()
  valid: boolean;
}
