import {
  ArrayField,
  DateTimeField,
  EnumField,
  IntegerField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { IssuesBySeverity } from '../issues-by-severity.js';
import { PlaceField } from '../issues/issue-target.dto.js';
import { type IssueSeverity, issueSeverities, type IssueStatus, issueStatuses } from '../vocabulary.js';

/** The scan that another one is compared with. */
export class ComparedScan {
  @UuidField()
  id: string;
  @DateTimeField()
  createdAt: string;
}

/** An issue as it is now. */
export class ScanIssue {
  @UuidField()
  id: string;
  @StringField({ example: 'SQL injection' })
  name: string;
  @EnumField(issueSeverities)
  severity: IssueSeverity;
  @EnumField(issueStatuses)
  status: IssueStatus;
  @StringField({ example: 'Storefront API' })
  assetName: string;
  @PlaceField()
  place: string | null;
}

export class ScanIssueGroup {
  @IntegerField({ min: 0 })
  total: number;
  @ObjectField(() => IssuesBySeverity)
  bySeverity: IssuesBySeverity;
  @ArrayField(() => ScanIssue, { description: 'The first 100: severe ones first' })
  issues: ScanIssue[];
}

/** The results of a scan, compared with the scans before it. */
export class ScanIssues {
  @ObjectField(() => ComparedScan, {
    nullable: true,
    description:
      'The newest earlier FINISHED scan of the same profile and kind with an asset in common, and, for a report, ' +
      'of the same tool, category and branch. Only the last 1,000 scans of the profile are considered',
  })
  previous: ComparedScan | null;
  @ObjectField(() => ScanIssueGroup, { description: 'Issues that no earlier scan found' })
  created: ScanIssueGroup;
  @ObjectField(() => ScanIssueGroup, { description: 'Issues that an earlier scan also found' })
  seen: ScanIssueGroup;
  @ObjectField(() => ScanIssueGroup, {
    nullable: true,
    description:
      'Issues on its assets that the previous scan found and this one did not, whatever their status. An issue is ' +
      'not gone if the newest complete report of another tool or branch had it at that time. Null if the scan is ' +
      'not FINISHED or its report was incomplete',
  })
  gone: ScanIssueGroup | null;
}
