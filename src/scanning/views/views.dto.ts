import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { IssueConditions, type IssueSort, issueSorts } from '../issues/issue-filter.dto.js';
import { nameBounds } from '../name-field.js';

const viewName = { ...nameBounds, maxLength: 100 };

/** A saved filter of issues. */
export class View {
  @UuidField()
  id: string;
  @StringField({ example: 'Critical on production' })
  name: string;
  @BooleanField({ description: "Whether it is the organization's; otherwise only its owner sees it" })
  shared: boolean;
  @UuidField({ nullable: true, description: 'Who made it; null for an API key, and for somebody who left' })
  ownerId: string | null;
  @ObjectField(() => IssueConditions, { description: 'As the list of issues takes it' })
  filter: IssueConditions;
  @EnumField(issueSorts)
  sort: IssueSort;
  @DateTimeField()
  createdAt: Date;
  @DateTimeField()
  updatedAt: Date;
}

export class ViewPage {
  @ArrayField(() => View)
  data: View[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export class ViewCreate {
  @StringField({ ...viewName, example: 'Critical on production' })
  name: string;
  @BooleanField({ default: false, description: 'API keys make only shared views' })
  shared: boolean;
  @ObjectField(() => IssueConditions)
  filter: IssueConditions;
  @EnumField(issueSorts, { default: 'created' })
  sort: IssueSort;
}

/** Omitted fields stay as they are. */
export class ViewUpdate {
  @StringField({ ...viewName, optional: true, nullable: 'ignored' })
  name?: string;
  @BooleanField({ optional: true, nullable: 'ignored' })
  shared?: boolean;
  @ObjectField(() => IssueConditions, { optional: true, nullable: 'ignored', description: 'Replaces the whole filter' })
  filter?: IssueConditions;
  @EnumField(issueSorts, { optional: true, nullable: 'ignored' })
  sort?: IssueSort;
}

export class ViewPath {
  @UuidField()
  id: string;
}
