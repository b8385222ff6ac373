import { demo } from '../../platform/openapi/demo-values.js';
import {
  ArrayField,
  BooleanField,
  IntegerField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';

const maxDays = 3_650;
// Unspecified: for how many tags a policy may name somebody.
export const maxAssignees = 100;
const days = { optional: true, nullable: true, min: 0, max: maxDays } as const;

/** The days in which new issues are to be fixed, by severity; null for no due date. */
export class DaysToFix {
  @IntegerField({ ...days, example: 7 })
  CRITICAL?: number | null;
  @IntegerField({ ...days, example: 30 })
  HIGH?: number | null;
  @IntegerField({ ...days, example: 90 })
  MEDIUM?: number | null;
  @IntegerField(days)
  LOW?: number | null;
  @IntegerField(days)
  INFO?: number | null;
}

export class DefaultAssignee {
  @UuidField({ example: demo('tag') })
  tagId: string;
  @UuidField({ description: 'A member of the organization' })
  userId: string;
}

export class DefaultAssigneeRead extends DefaultAssignee {
  @StringField({ example: 'production' })
  tagName: string;
  @StringField({ example: 'ada' })
  username: string;
}

/** How the organization wants its issues handled. */
export class IssuePolicyUpdate {
  @ObjectField(() => DaysToFix, { description: 'Sets the due date of new issues; an omitted severity has none' })
  daysToFix: DaysToFix;
  @ArrayField(() => DefaultAssignee, {
    maxItems: maxAssignees,
    default: [],
    description:
      'Who is assigned the new issues of assets with a tag. Of several tags of an asset, the first in this list decides',
  })
  assignees: DefaultAssignee[];
  @BooleanField({
    default: false,
    description: 'Whether an issue can be IGNORED without an end only with a reason: acceptedReason or a comment',
  })
  reasonRequired: boolean;
}

export class DaysToFixRead {
  @IntegerField({ nullable: true })
  CRITICAL: number | null;
  @IntegerField({ nullable: true })
  HIGH: number | null;
  @IntegerField({ nullable: true })
  MEDIUM: number | null;
  @IntegerField({ nullable: true })
  LOW: number | null;
  @IntegerField({ nullable: true })
  INFO: number | null;
}

export class IssuePolicy {
  @ObjectField(() => DaysToFixRead)
  daysToFix: DaysToFixRead;
  @ArrayField(() => DefaultAssigneeRead, { maxItems: maxAssignees })
  assignees: DefaultAssigneeRead[];
  @BooleanField()
  reasonRequired: boolean;
}
