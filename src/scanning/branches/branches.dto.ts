import { demo } from '../../platform/openapi/demo-values.js';
import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  IntegerField,
  StringField,
  UuidField,
  UuidListField,
} from '../../platform/validation/fields.js';
import { SearchPaging } from '../search-paging.js';

/** The longest name of a branch. */
export const maxBranchName = 255;

/** A branch of an asset. */
export class Branch {
  @UuidField()
  id: string;
  @StringField({ example: 'feature/search' })
  name: string;
  @UuidField()
  assetId: string;
  @StringField({ example: 'code.example/harbour-outfitters/storefront-api' })
  assetName: string;
  @BooleanField({ description: 'Whether it is the default branch, which decides the status of issues' })
  default: boolean;
  @StringField({ nullable: true, description: 'The number or key of the pull request that it is of', example: '128' })
  pullRequest: string | null;
  @DateTimeField()
  createdAt: Date;
  @DateTimeField({ nullable: true, description: 'Null for a default branch that was only named' })
  lastScannedAt: Date | null;
  @DateTimeField({ nullable: true, description: 'When it was closed; a scan of it opens it again' })
  closedAt: Date | null;
}

export class BranchPage {
  @ArrayField(() => Branch)
  data: Branch[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export const branchStates = ['OPEN', 'CLOSED'] as const;
export type BranchState = (typeof branchStates)[number];

export class BranchFilter extends SearchPaging {
  @UuidListField({ optional: true, description: 'Branches of any of these assets' })
  assetIds?: string[];
  @EnumField(branchStates, { optional: true, description: 'By default all branches' })
  state?: BranchState;
}

/** Names a branch that was merged or deleted. */
export class BranchesClose {
  @StringField({ minLength: 1, maxLength: maxBranchName, example: 'feature/merged' })
  name: string;
  @UuidField({
    optional: true,
    nullable: 'ignored',
    description: 'Only the branch of this asset; by default those of this name of all assets',
    example: demo('asset'),
  })
  assetId?: string;
}

export class BranchesClosed {
  @IntegerField({ min: 0, description: 'The number of branches that were open and are closed now' })
  closed: number;
  @IntegerField({ min: 0, description: 'The number of issues that were resolved since no other branch has them' })
  resolved: number;
}
