import { demo } from '../../platform/openapi/demo-values.js';
import {
  ArrayField,
  BooleanField,
  EnumField,
  IntegerField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { type IssueCategory, issueCategories, type IssueSeverity, issueSeverities } from '../vocabulary.js';
import { TargetCreate } from './issue-target.dto.js';

// Unspecified: how many targets of an issue one request may name. Further requests add to them.
const maxTargets = 1_000;

/** An issue that a scanner appends to a scan. */
export class IssueCreate {
  // Unspecified: how long the texts of an issue may be.
  @StringField({ minLength: 1, maxLength: 1_000, example: 'SQL injection' })
  name: string;
  @EnumField(issueSeverities)
  severity: IssueSeverity;
  @EnumField(issueCategories)
  category: IssueCategory;
  @StringField({ default: '', nullable: 'ignored', maxLength: 100_000 })
  context: string;
  @UuidField({ example: demo('asset') })
  assetId: string;
  @StringField({ optional: true, nullable: 'ignored', minLength: 1, maxLength: 500 })
  alertUid?: string;
  @StringField({ optional: true, nullable: 'ignored', minLength: 1, maxLength: 500 })
  securityTestUid?: string;
  @StringField({ optional: true, nullable: 'ignored', minLength: 1, maxLength: 1_100 })
  fullName?: string;
  @BooleanField({
    default: false,
    nullable: 'ignored',
    description: 'Whether it is suppressed in the code: it is then IGNORED while the suppression lasts',
  })
  suppressed: boolean;
  @ArrayField(() => TargetCreate, { maxItems: maxTargets, default: [], nullable: 'ignored' })
  targets: TargetCreate[];
}

export class AppendedIssue {
  @UuidField()
  id: string;
  @BooleanField({ description: 'Whether it is new: false if it was already known' })
  created: boolean;
}

export class IssueAppendResult {
  @IntegerField()
  created: number;
  @IntegerField()
  seen: number;
  @ArrayField(() => AppendedIssue, { description: 'In the order of the request' })
  issues: AppendedIssue[];
}
