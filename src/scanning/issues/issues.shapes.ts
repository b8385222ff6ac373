import {
  ArrayField,
  DateTimeField,
  EnumField,
  EnumListField,
  JsonField,
  ObjectField,
  StringField,
  UuidField,
  UuidListField,
} from '../../common/validation/fields.js';
import { AssetFrontend, AssetHost, AssetService } from '../assets/asset-details.shapes.js';
import { Application } from '../profiles/profiles.shapes.js';
import { ResourceScan } from '../scans/scans.shapes.js';
import { SearchPaging } from '../search-paging.js';
import { AssetTag } from '../tags/tags.shapes.js';
import {
  type AssetClass,
  assetClasses,
  type AssetType,
  assetTypes,
  issueCategories,
  type IssueCategory,
  issueSeverities,
  type IssueSeverity,
  type IssueStatus,
  issueStatuses,
} from '../vocabulary.js';
import { ResourceScanTarget } from './issue-target.shapes.js';

/** An issue's asset: the asset's own fields, its tags and those relations that the document gives it here. */
export class IssueAsset {
  @UuidField()
  id: string;
  @StringField()
  name: string;
  @EnumField(assetTypes)
  type: AssetType;
  @EnumField(assetClasses)
  class: AssetClass;
  @StringField()
  uri: string;
  @DateTimeField()
  createdAt: string;
  @ArrayField(() => AssetTag)
  tags: AssetTag[];
  @ObjectField(() => AssetService, { nullable: true })
  service: AssetService | null;
  @ObjectField(() => AssetFrontend, { nullable: true })
  frontend: AssetFrontend | null;
  @ObjectField(() => AssetHost, { nullable: true })
  host: AssetHost | null;
  @JsonField({ nullable: true, description: 'Always null' })
  cloudComponent: null;
}

// Not shown: what a list leaves out. Targets are part of one issue's answer alone; events of an issue, which may be
// thousands, are listed by GET /events?issueIds=.
export class IssueSummary {
  @UuidField()
  id: string;
  @StringField()
  name: string;
  @StringField()
  fullName: string;
  @EnumField(issueSeverities)
  severity: IssueSeverity;
  @EnumField(issueCategories)
  category: IssueCategory;
  @EnumField(issueStatuses)
  status: IssueStatus;
  @DateTimeField()
  createdAt: Date;
  @StringField()
  context: string;
  @StringField()
  alertUid: string;
  @StringField()
  securityTestUid: string;
  @UuidField()
  assetId: string;
  @ObjectField(() => IssueAsset)
  asset: IssueAsset;
  @ObjectField(() => ResourceScan, { optional: true, nullable: true, description: 'The newest scan that found it' })
  scan: ResourceScan | null;
  @ObjectField(() => Application, { optional: true, nullable: true, description: "That scan's profile" })
  application: Application | null;
}

/** An issue, as the document has it. */
export class Issue extends IssueSummary {
  @ArrayField(() => ResourceScanTarget)
  targets: ResourceScanTarget[];
}

export class IssuePage {
  @ArrayField(() => IssueSummary)
  data: IssueSummary[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export class IssueFilter extends SearchPaging {
  @EnumListField(issueSeverities, { optional: true })
  severities?: IssueSeverity[];
  @EnumListField(issueCategories, { optional: true })
  categories?: IssueCategory[];
  @EnumListField(issueStatuses, { optional: true })
  statuses?: IssueStatus[];
  @UuidListField({ optional: true })
  assetIds?: string[];
  @UuidListField({ optional: true, description: 'Issues that any of these scans found' })
  scanIds?: string[];
  @UuidListField({ optional: true, description: 'Issues that a scan of any of these profiles found' })
  profileIds?: string[];
}

export class IssuePath {
  @UuidField()
  id: string;
}

export class IssueUpdate {
  @EnumField(issueStatuses, { optional: true, nullable: 'ignored' })
  status?: IssueStatus;
  @EnumField(issueSeverities, { optional: true, nullable: 'ignored' })
  severity?: IssueSeverity;
  @StringField({ optional: true, nullable: 'ignored', minLength: 1, maxLength: 10_000 })
  comment?: string;
}

export const activityKinds = ['STATUS', 'SEVERITY', 'COMMENT'] as const;
export type ActivityKind = (typeof activityKinds)[number];
export const actorKinds = ['USER', 'API_KEY', 'SYSTEM'] as const;
export type ActorKind = (typeof actorKinds)[number];

export class IssueActor {
  @EnumField(actorKinds)
  kind: ActorKind;
  @UuidField({ nullable: true, description: 'The user, where it was one' })
  userId: string | null;
  @StringField({ nullable: true, description: 'The username, or the name of the API key; null for the service itself' })
  name: string | null;
}

/** One thing that happened to an issue. */
export class IssueActivity {
  @UuidField()
  id: string;
  @EnumField(activityKinds)
  kind: ActivityKind;
  @StringField({ nullable: true, description: 'The status or severity before; null for the first one' })
  from: string | null;
  @StringField({ nullable: true })
  to: string | null;
  @StringField({ nullable: true })
  comment: string | null;
  @ObjectField(() => IssueActor)
  actor: IssueActor;
  @DateTimeField()
  createdAt: Date;
}

export class IssueActivityPage {
  @ArrayField(() => IssueActivity)
  data: IssueActivity[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}
