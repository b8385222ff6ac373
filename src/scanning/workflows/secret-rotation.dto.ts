import { DateTimeField, IntegerField, StringField, UuidField } from '../../platform/validation/fields.js';
import { secretBounds } from './workflows.dto.js';

const dayInSeconds = 86_400;

export class SecretRotation {
  @StringField({
    ...secretBounds,
    optional: true,
    nullable: 'ignored',
    description: 'The new secret: whsec_ and the base64 of 24 to 64 random bytes; generated if omitted',
  })
  secret?: string;
  @IntegerField({
    min: 0,
    max: 30 * dayInSeconds,
    default: dayInSeconds,
    description: 'How long the previous secret also signs; 0 ends it, and all older ones, at once',
  })
  overlapSeconds: number;
}

export class RotatedSecret {
  @StringField({
    description: 'The new secret, shown only now',
    example: 'whsec_c2FtcGxlIHNlY3JldCBvZiAzMiBieXRlcyAuLi4=',
  })
  secret: string;
  @DateTimeField({ nullable: true, description: 'Until when an earlier secret also signs; null if none does' })
  previousSecretExpiresAt: Date | null;
}

export class ActionPath {
  @UuidField()
  id: string;
  @UuidField({ description: 'The id of an action of the workflow' })
  actionId: string;
}
