import { demo } from '../../platform/openapi/demo-values.js';
import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  IntegerField,
  JsonField,
  ListField,
  NumberField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { AssetFrontend, AssetHost, AssetService } from '../assets/asset-details.dto.js';
import { TotalCountField } from '../counted-lists.js';
import { Application } from '../profiles/profiles.dto.js';
import { ResourceScan } from '../scans/scans.dto.js';
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

/** The user whom an issue is assigned to. */
export class IssueAssignee {
  @UuidField()
  id: string;
  @StringField({ example: 'ada' })
  username: string;
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
  @BooleanField({
    description:
      'Whether only other branches than the default one had it: then no count of the organization includes it',
  })
  branchOnly: boolean;
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
  @NumberField({
    nullable: true,
    description:
      'How probably it is exploited within 30 days, from 0 to 1: the highest EPSS of its CVEs. Null if the operator ' +
      'set no feed (THREAT_FEEDS), or it has none of them',
    example: 0.0421,
  })
  epss: number | null;
  @BooleanField({ description: 'Whether one of its CVEs is in the catalog of known exploited vulnerabilities (KEV)' })
  kev: boolean;
  @UuidField({ nullable: true, description: 'The user who is to fix it' })
  assigneeId: string | null;
  @ObjectField(() => IssueAssignee, { nullable: true })
  assignee: IssueAssignee | null;
  @DateTimeField({ nullable: true, description: 'Until when it is to be fixed' })
  dueAt: Date | null;
  @DateTimeField({ nullable: true, description: 'Until when it is accepted: then it becomes OPEN again' })
  acceptedUntil: Date | null;
  @StringField({ nullable: true, description: 'Why it is accepted' })
  acceptedReason: string | null;
  @ObjectField(() => IssueActor, { nullable: true, description: 'Who accepted it' })
  acceptedBy: IssueActor | null;
  @StringField({ nullable: true, description: 'Where it is worked on', example: 'https://tickets.example.com/SHOP-42' })
  externalUrl: string | null;
  @DateTimeField({ description: 'When a scan last found it' })
  lastSeenAt: Date;
  @StringField({
    nullable: true,
    description: 'The tool that found it last, if a report named one',
    example: 'semgrep',
  })
  tool: string | null;
}

/** An issue of the interface description; beyond it, what the newest report that found it says of it. */
export class IssueBranch {
  @StringField({ example: 'main' })
  name: string;
  @DateTimeField({ description: 'When a scan of the branch last found it' })
  lastSeenAt: Date;
  @BooleanField({ description: 'Whether the newest report of the branch by some tool has it' })
  present: boolean;
  @BooleanField({ description: 'Whether it is the default branch, which decides the status' })
  default: boolean;
}

export class Issue extends IssueSummary {
  @ArrayField(() => IssueBranch, {
    description: 'The branches on which scans found it: the default one, then those that have it; the first hundred',
  })
  branches: IssueBranch[];
  @ArrayField(() => ResourceScanTarget, { description: 'The first hundred' })
  targets: ResourceScanTarget[];
  @ArrayField(() => IssueIdentifier, { description: 'Of the finding and of its rule: at most 100' })
  identifiers: IssueIdentifier[];
  @ObjectField(() => IssueRule, { nullable: true, description: 'The rule of the tool, if the report has one' })
  rule: IssueRule | null;
  @ObjectField(() => IssuePlace, {
    nullable: true,
    description: 'The first of `locations`; without a report, the file or page of the first target',
  })
  location: IssuePlace | null;
  @ArrayField(() => IssuePlace, { description: 'The places in the report: the first 20' })
  locations: IssuePlace[];
  @ArrayField(() => IssueEvidence, {
    description:
      'What shows it, newest first: the attachments of its newest event that has any (at most 20), then the steps of the ' +
      'newest report. GET /events?issueIds= lists all of its events',
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

export class IssuePath {
  @UuidField({ example: demo('issue') })
  id: string;
}

export const activityKinds = [
  'STATUS',
  'SEVERITY',
  'COMMENT',
  'CONTEXT',
  'TARGETS',
  'ASSIGNEE',
  'DUE_DATE',
  'ACCEPTANCE',
  'LINK',
] as const;
export type ActivityKind = (typeof activityKinds)[number];
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
      'and targets are kept. Of an ASSIGNEE the username, or the id if the account is gone; of an ACCEPTANCE its end, ' +
      'null for one without an end',
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
