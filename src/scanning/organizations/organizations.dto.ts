import { demo } from '../../platform/openapi/demo-values.js';
import { type KeyRole, keyRoles } from '../../platform/auth/organization-caller.js';
import {
  BooleanField,
  DateTimeField,
  EnumField,
  ArrayField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { nameBounds } from '../name-field.js';

/** An organization as one of its members or API keys sees it: `role` is the caller's own. */
export class Organization {
  @UuidField()
  id: string;
  @StringField({ example: 'Harbour Outfitters' })
  name: string;
  @EnumField(keyRoles)
  role: KeyRole;
  @BooleanField({ description: 'Enable scoped webhook export payload' })
  scopedWebhookExportPayload: boolean;
  @DateTimeField()
  createdAt: Date;
}

export class OrganizationPage {
  @ArrayField(() => Organization)
  data: Organization[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export class OrganizationCreate {
  @StringField({ ...nameBounds, example: 'Acme Security' })
  name: string;
}

/** The general settings. Omitted ones stay as they are. */
export class OrganizationUpdate {
  @StringField({ ...nameBounds, optional: true, nullable: 'ignored', example: 'Harbour Outfitters' })
  name?: string;
  @BooleanField({ optional: true, nullable: 'ignored', description: 'Enable scoped webhook export payload' })
  scopedWebhookExportPayload?: boolean;
}

export class OrganizationPath {
  @UuidField({ example: demo('organization') })
  organizationId: string;
}
