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
      'The newest FINISHED scan before it of the same profile, kind and assets (one in common), and of the same tool, ' +
      'category and branch where it is of a report; among the 1,000 scans of the profile before it',
  })
  previous: ComparedScan | null;
  @ObjectField(() => ScanIssueGroup, { description: 'Issues that no scan found before' })
  created: ScanIssueGroup;
  @ObjectField(() => ScanIssueGroup, { description: 'Issues that an earlier scan had found, too' })
  seen: ScanIssueGroup;
  @ObjectField(() => ScanIssueGroup, {
    nullable: true,
    description:
      'Issues on its assets that the previous scan found and this one did not, whatever became of them. What the newest ' +
      'whole report of another tool or branch had at that time is not gone. Null where the scan is not FINISHED or its ' +
      'report was not whole: it does not tell what is gone',
  })
  gone: ScanIssueGroup | null;
}
