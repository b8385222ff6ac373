import { demo } from '../../platform/openapi/demo-values.js';
import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  EnumListField,
  JsonField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { nameBounds } from '../name-field.js';
import { SearchPaging } from '../search-paging.js';
import { type IntegrationKind, integrationKinds } from '../vocabulary.js';

/** An integration of the interface description, with the secrets of its parameters masked. */
export class Integration {
  @UuidField()
  id: string;
  @StringField({ example: 'Code host' })
  name: string;
  @EnumField(integrationKinds)
  kind: IntegrationKind;
  @BooleanField()
  valid: boolean;
  @JsonField({
    description:
      'Parameters that are known to be harmless for this kind (such as url, host, port, region and username) are ' +
      'shown, addresses by origin and path; all others are masked',
    example: { url: 'https://code.example.com', apiKey: '••••1234' },
  })
  parameters: Record<string, unknown>;
  @DateTimeField()
  createdAt: Date;
  @DateTimeField()
  updatedAt: Date;
}

export class IntegrationFilter extends SearchPaging {
  // Unspecified: the filter by kind.
  @EnumListField(integrationKinds, { optional: true, description: 'Integrations of any of these kinds' })
  kinds?: IntegrationKind[];
}

export class IntegrationPage {
  @ArrayField(() => Integration)
  data: Integration[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export class IntegrationCreate {
  @StringField({ ...nameBounds, example: 'Code host' })
  name: string;
  @EnumField(integrationKinds)
  kind: IntegrationKind;
  @JsonField({ secret: true, example: { apiKey: 'the key itself' } })
  parameters: Record<string, unknown>;
  @BooleanField({ default: true, nullable: 'ignored' })
  valid: boolean;
}

/** Omitted fields stay as they are; `parameters` are replaced whole, but a mask sent back keeps the stored value. */
export class IntegrationUpdate {
  @StringField({ ...nameBounds, optional: true, nullable: 'ignored', example: 'Code host, read only' })
  name?: string;
  @EnumField(integrationKinds, { optional: true, nullable: 'ignored' })
  kind?: IntegrationKind;
  @JsonField({ optional: true, nullable: 'ignored', secret: true })
  parameters?: Record<string, unknown>;
  @BooleanField({ optional: true, nullable: 'ignored' })
  valid?: boolean;
}

export class IntegrationPath {
  @UuidField({ example: demo('integration') })
  id: string;
}
