import { demo } from '../../platform/openapi/demo-values.js';
import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  EnumListField,
  IntegerField,
  JsonField,
  ListField,
  NumberField,
  ObjectField,
  StringField,
  UuidField,
  UuidListField,
} from '../../platform/validation/fields.js';
import { AssetFrontend, AssetHost, AssetService } from '../assets/asset-details.dto.js';
import { SinceField, TotalCountField, TotalField, UntilField } from '../counted-lists.js';
import { Application } from '../profiles/profiles.dto.js';
import { ResourceScan } from '../scans/scans.dto.js';
import { SearchPaging } from '../search-paging.js';
import { AssetTag } from '../tags/tags.dto.js';
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
import {
  IssueEvidence,
  IssueFix,
  IssueIdentifier,
  IssuePlace,
  IssueRule,
  IssueSuppression,
} from './issue-detail.dto.js';
import { PlaceField, ResourceScanTarget } from './issue-target.dto.js';

/** Users and API keys, which set an issue's status or severity beside scanners. */
export const people = ['USER', 'API_KEY'] as const;
export type Person = (typeof people)[number];

/** An issue's asset, with the relations that the interface description gives it here. */
export class IssueAsset {
  @UuidField()
  id: string;
  @StringField({ example: 'Storefront API' })
  name: string;
  @EnumField(assetTypes)
  type: AssetType;
  @EnumField(assetClasses)
  class: AssetClass;
  @StringField({ example: 'asset://api-service/api.example.com/v1' })
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
  @JsonField({ nullable: true, bounds: 'none', description: 'Always null' })
  cloudComponent: null;
}

// Unspecified: the fields that a list omits. It omits the targets; GET /events?issueIds= lists an issue's events, which may
// be thousands.
export class IssueSummary {
  @UuidField()
  id: string;
  @StringField({ example: 'SQL injection' })
  name: string;
  @StringField({ example: 'SQL injection (high risk)' })
  fullName: string;
  @EnumField(issueSeverities)
  severity: IssueSeverity;
  @EnumField(people, {
    nullable: true,
    description: 'Who set the severity, which then stays; null if the scanner did',
  })
  severitySetBy: Person | null;
  @EnumField(issueSeverities, { description: 'The severity that the newest scan reports' })
  toolSeverity: IssueSeverity;
  @EnumField(issueCategories)
  category: IssueCategory;
  @EnumField(issueStatuses)
  status: IssueStatus;
  @EnumField(people, { nullable: true, description: 'Who set the status; null if a scan did' })
  statusSetBy: Person | null;
  @BooleanField({
    description: 'Whether the newest scan itself sets it aside, usually because it is suppressed in the code',
  })
  suppressed: boolean;
  @DateTimeField()
  createdAt: Date;
  @StringField({ example: 'The parameter q reaches a query unquoted.' })
  context: string;
  @StringField({ example: 'sql-injection' })
  alertUid: string;
  @StringField({ example: 'sql-injection' })
  securityTestUid: string;
  @UuidField()
  assetId: string;
  @ObjectField(() => IssueAsset)
  asset: IssueAsset;
  @ObjectField(() => ResourceScan, { optional: true, nullable: true, description: 'The newest scan that found it' })
  scan: ResourceScan | null;
  @ObjectField(() => Application, { optional: true, nullable: true, description: "That scan's profile" })
  application: Application | null;
  @IntegerField({ min: 0, description: 'The number of its targets: GET issues/{id}/targets lists them' })
  targetsCount: number;
  @PlaceField()
  place: string | null;
}

/** An issue of the interface description; beyond it, what the newest report that found it says of it. */
export class Issue extends IssueSummary {
  @ArrayField(() => ResourceScanTarget, { description: 'The first hundred' })
  targets: ResourceScanTarget[];
  @ArrayField(() => IssueIdentifier, { description: 'Of the finding and of its rule' })
  identifiers: IssueIdentifier[];
  @ObjectField(() => IssueRule, { nullable: true, description: 'The rule of the tool, if the report has one' })
  rule: IssueRule | null;
  @ObjectField(() => IssuePlace, { nullable: true, description: 'The first of `locations`' })
  location: IssuePlace | null;
  @ArrayField(() => IssuePlace, { description: 'The places in the report: the first 20' })
  locations: IssuePlace[];
  @ArrayField(() => IssueEvidence, {
    description: 'The steps that lead to it; requests, responses and snippets are attached to its events',
  })
  evidence: IssueEvidence[];
  @StringField({ nullable: true, description: 'The message of the tool about this finding' })
  message: string | null;
  @ListField(
    { kind: 'string' },
    { description: 'Properties of the finding; those of the rule are in `rule`', example: ['reachable'] },
  )
  tags: string[];
  @NumberField({ nullable: true, description: 'The exact severity that the tool reports, from 0 to 10', example: 8.8 })
  score: number | null;
  @NumberField({ nullable: true, description: 'The rank that the tool reports, from 0 to 100' })
  rank: number | null;
  @ArrayField(() => IssueFix, { description: 'The fixes that the tool proposes' })
  fixes: IssueFix[];
  @ArrayField(() => IssueSuppression, { description: 'Suppressions, as the tool reports them' })
  suppressions: IssueSuppression[];
  @JsonField({
    nullable: true,
    bounds: 'none',
    description: 'Further properties of the finding, as the tool reports them',
  })
  properties: Record<string, unknown> | null;
}

export class IssuePage {
  @ArrayField(() => IssueSummary)
  data: IssueSummary[];
  @StringField({ nullable: true })
  nextCursor: string | null;
  @TotalCountField()
  totalCount?: number;
}

export class IssueTargetPage {
  @ArrayField(() => ResourceScanTarget)
  data: ResourceScanTarget[];
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
  @SinceField()
  since?: string;
  @UntilField()
  until?: string;
  @TotalField()
  total: boolean;
}

export class IssuePath {
  @UuidField({ example: demo('issue') })
  id: string;
}

export const activityKinds = ['STATUS', 'SEVERITY', 'COMMENT', 'CONTEXT', 'TARGETS'] as const;
export type ActivityKind = (typeof activityKinds)[number];
export const actorKinds = ['USER', 'API_KEY', 'SYSTEM'] as const;
export type ActorKind = (typeof actorKinds)[number];

export class IssueActor {
  @EnumField(actorKinds)
  kind: ActorKind;
  @UuidField({ nullable: true, description: 'The user, if it was one' })
  userId: string | null;
  @StringField({ nullable: true, description: 'The username, or the name of the API key; null for the service itself' })
  name: string | null;
}

/** A change of an issue, or a comment on it. */
export class IssueActivity {
  @UuidField()
  id: string;
  @EnumField(activityKinds)
  kind: ActivityKind;
  @StringField({
    nullable: true,
    description:
      'The previous status or severity, null for the first one; or the beginning of the previous context; or the ' +
      'uids of targets that the newest scan did not find, one per line. The newest 20 activities about contexts ' +
      'and targets are kept',
  })
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
