import { demo } from '../../platform/openapi/demo-values.js';
import { CursorPaging } from '../../platform/http/cursor.js';
import {
  ArrayField,
  DateTimeField,
  EnumField,
  EnumListField,
  NumberField,
  ObjectField,
  StringField,
  UuidField,
  UuidListField,
} from '../../platform/validation/fields.js';
import { SinceField, TotalCountField, TotalField, UntilField } from '../counted-lists.js';
import { Application } from '../profiles/profiles.dto.js';
import { type ScanKind, scanKinds, type ScanStatus, scanStatuses } from '../vocabulary.js';

// Unspecified: how many assets a scan may have.
const maxAssets = 1_000;

/** A scan of the interface description. */
export class ResourceScan {
  @UuidField()
  id: string;
  @EnumField(scanStatuses)
  status: ScanStatus;
  @EnumField(scanKinds)
  kind: ScanKind;
  @DateTimeField()
  createdAt: Date;
  @DateTimeField()
  updatedAt: Date;
  @DateTimeField({ optional: true, nullable: true, description: 'When the scan ended, with any status' })
  finishedAt: Date | null;
  @NumberField({ min: 0, max: 1, example: 1 })
  progressRatio: number;
  @UuidField()
  applicationId: string;
  @ObjectField(() => Application)
  application: Application;
}

export class ScanCreate {
  @UuidField({ description: 'The profile that is scanned', example: demo('profile') })
  applicationId: string;
  @EnumField(scanKinds)
  kind: ScanKind;
  @UuidListField({ optional: true, nullable: 'ignored', maxItems: maxAssets })
  assetIds?: string[];
  @UuidField({
    optional: true,
    nullable: 'ignored',
    description: 'The location that the scan runs from; only recorded',
  })
  locationId?: string;
  @EnumField(scanStatuses, { default: 'STARTING', nullable: 'ignored' })
  status: ScanStatus;
}

export class ScanUpdate {
  @EnumField(scanStatuses, { optional: true, nullable: 'ignored' })
  status?: ScanStatus;
  @NumberField({ optional: true, nullable: 'ignored', min: 0, max: 1, example: 0.6 })
  progressRatio?: number;
}

export class ScanPath {
  @UuidField({ example: demo('scan') })
  id: string;
}

export class ScanFilter extends CursorPaging {
  @EnumListField(scanStatuses, { optional: true })
  statuses?: ScanStatus[];
  @EnumListField(scanKinds, { optional: true })
  kinds?: ScanKind[];
  @UuidListField({ optional: true, description: 'Scans of any of these profiles' })
  profileIds?: string[];
  @UuidListField({ optional: true, description: 'Scans that have any of these assets' })
  assetIds?: string[];
  @SinceField()
  since?: string;
  @UntilField()
  until?: string;
  @TotalField()
  total: boolean;
}

export class ScanPage {
  @ArrayField(() => ResourceScan)
  data: ResourceScan[];
  @StringField({ nullable: true })
  nextCursor: string | null;
  @TotalCountField()
  totalCount?: number;
}
