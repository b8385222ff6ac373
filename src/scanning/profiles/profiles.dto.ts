import { demo } from '../../platform/openapi/demo-values.js';
import { ArrayField, DateTimeField, EnumField, StringField, UuidField } from '../../platform/validation/fields.js';
import { nameBounds } from '../name-field.js';
import { type ProfileType, profileTypes, type ScanKind, scanKinds } from '../vocabulary.js';

/** A profile, named as in the interface description. */
export class Application {
  @UuidField()
  id: string;
  @StringField({ example: 'Storefront REST API' })
  name: string;
  @EnumField(scanKinds)
  scannerKind: ScanKind;
  @EnumField(profileTypes)
  type: ProfileType;
  @DateTimeField()
  createdAt: Date;
  @DateTimeField()
  updatedAt: Date;
}

export class ApplicationPage {
  @ArrayField(() => Application)
  data: Application[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export class ApplicationCreate {
  @StringField({ ...nameBounds, example: 'Shop front end' })
  name: string;
  @EnumField(scanKinds)
  scannerKind: ScanKind;
  @EnumField(profileTypes)
  type: ProfileType;
}

/** Omitted fields stay as they are. */
export class ApplicationUpdate {
  @StringField({ ...nameBounds, optional: true, nullable: 'ignored', example: 'Storefront REST API, version 2' })
  name?: string;
  @EnumField(scanKinds, { optional: true, nullable: 'ignored' })
  scannerKind?: ScanKind;
  @EnumField(profileTypes, { optional: true, nullable: 'ignored' })
  type?: ProfileType;
}

export class ProfilePath {
  @UuidField({ example: demo('profile') })
  id: string;
}
