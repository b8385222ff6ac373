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
/** The assets that a scan shows; a list of a hundred scans stays small. */
export const shownAssets = 20;

// Unspecified: how long these texts are.
const reported = { optional: true, nullable: 'ignored', minLength: 1 } as const;
const longestReason = 1_000;
const exactly = { optional: true, minLength: 1, maxLength: 255 } as const;

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
  @StringField({ nullable: true, description: 'The branch that was scanned', example: 'main' })
  branch: string | null;
  @StringField({ nullable: true, description: 'The commit that was scanned', example: '4f2a9c1' })
  commit: string | null;
  @StringField({ nullable: true, description: 'The number or key of the pull request', example: '128' })
  pullRequest: string | null;
  @UuidListField({ description: `Its assets: the first ${shownAssets}` })
  assetIds: string[];
  @StringField({ nullable: true, example: 'CodeLook' })
  tool: string | null;
  @StringField({ nullable: true, example: '2.4.0' })
  toolVersion: string | null;
  @StringField({ nullable: true, description: 'Why it failed, if it did and somebody says so' })
  failureReason: string | null;
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
  @StringField({
    ...reported,
    maxLength: 255,
    description: 'The branch that is scanned: the issues that are appended are seen on this branch of their assets',
    example: 'main',
  })
  branch?: string;
  @StringField({ ...reported, maxLength: 100, description: 'The commit that is scanned', example: '4f2a9c1' })
  commit?: string;
  @StringField({
    ...reported,
    maxLength: 255,
    description: 'The number or key of the pull request: what only pull requests have is not in the default lists',
  })
  pullRequest?: string;
}

export class ScanUpdate {
  @EnumField(scanStatuses, { optional: true, nullable: 'ignored' })
  status?: ScanStatus;
  @NumberField({ optional: true, nullable: 'ignored', min: 0, max: 1, example: 0.6 })
  progressRatio?: number;
  @StringField({ ...reported, maxLength: longestReason, description: 'Why it failed; only with the status FAILED' })
  failureReason?: string;
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
  @StringField({ ...exactly, description: 'Scans of the branch of this name', example: 'main' })
  branch?: string;
  @StringField({ ...exactly, description: 'Scans of this commit, as the scan names it' })
  commit?: string;
  @StringField({ ...exactly, description: 'Scans of this pull request' })
  pullRequest?: string;
  @StringField({ ...exactly, description: 'Scans by the tool of this name' })
  tool?: string;
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
