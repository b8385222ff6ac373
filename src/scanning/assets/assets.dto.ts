import { demo } from '../../platform/openapi/demo-values.js';
import { CursorPaging } from '../../platform/http/cursor.js';
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
} from '../../platform/validation/fields.js';
import { TotalCountField, TotalField } from '../counted-lists.js';
import { IssuesBySeverity } from '../issues-by-severity.js';
import { nameBounds } from '../name-field.js';
import { searchLength } from '../search-text.js';
import { AssetTag, maxTags } from '../tags/tags.dto.js';
import { type AssetClass, assetClasses, type AssetType, assetTypes } from '../vocabulary.js';
import {
  AssetFrontend,
  AssetFrontendInput,
  AssetHost,
  AssetHostInput,
  AssetRepository,
  AssetRepositoryInput,
  AssetSchema,
  AssetSchemaInput,
  AssetService,
  AssetServiceInput,
} from './asset-details.dto.js';

const assetName = { ...nameBounds, maxLength: 500 };
/** The address of a repository, without credentials: what issues link to. */
const sourceUrl = {
  minLength: 1,
  maxLength: 2_048,
  pattern: /^https:\/\/[^\s/?#@\\]+(?:\/[^\s/?#\\]+){2,}\/?$/,
  patternHint: 'Input should be the https address of a repository, such as https://github.com/acme/shop',
};
const maybe = { optional: true, nullable: true };
const left = { optional: true, nullable: 'ignored' } as const;

/** An asset of the interface description, without the scans and events that payloads add. */
export class Asset {
  @UuidField()
  id: string;
  @StringField({ example: 'Web shop' })
  name: string;
  @EnumField(assetTypes)
  type: AssetType;
  @EnumField(assetClasses)
  class: AssetClass;
  @StringField({ example: 'asset://frontend/shop.example.com' })
  uri: string;
  @StringField({ nullable: true, description: 'Where its code is read', example: 'https://github.com/acme/shop' })
  sourceUrl: string | null;
  @DateTimeField()
  createdAt: Date;
  @ObjectField(() => AssetService, maybe)
  service: AssetService | null;
  @ObjectField(() => AssetFrontend, maybe)
  frontend: AssetFrontend | null;
  @ObjectField(() => AssetHost, maybe)
  host: AssetHost | null;
  @ObjectField(() => AssetRepository, maybe)
  repository: AssetRepository | null;
  @ObjectField(() => AssetSchema, maybe)
  schema: AssetSchema | null;
  @JsonField({ ...maybe, bounds: 'none', description: 'Always null' })
  cloudComponent: null;
  @ArrayField(() => AssetTag)
  tags: AssetTag[];
  @ObjectField(() => IssuesBySeverity, { description: 'The number of its OPEN issues' })
  openIssues: IssuesBySeverity;
}

export class AssetPage {
  @ArrayField(() => Asset)
  data: Asset[];
  @StringField({ nullable: true })
  nextCursor: string | null;
  @TotalCountField()
  totalCount?: number;
}

/** The class decides which detail is allowed; an asset without one is identified by its name. */
class AssetDetails {
  @ObjectField(() => AssetServiceInput, { ...left, description: 'Of class API_SERVICE' })
  service?: AssetServiceInput;
  @ObjectField(() => AssetFrontendInput, { ...left, description: 'Of class FRONTEND' })
  frontend?: AssetFrontendInput;
  @ObjectField(() => AssetHostInput, { ...left, description: 'Of class HOST' })
  host?: AssetHostInput;
  @ObjectField(() => AssetRepositoryInput, { ...left, description: 'Of class REPOSITORY' })
  repository?: AssetRepositoryInput;
  @ObjectField(() => AssetSchemaInput, { ...left, description: 'Of class SCHEMA' })
  schema?: AssetSchemaInput;
  @UuidListField({ ...left, maxItems: maxTags })
  tagIds?: string[];
  @StringField({
    ...maybe,
    ...sourceUrl,
    description:
      'Where its code is read in a browser; places of issues then link to the line on GitHub, GitLab, Bitbucket and ' +
      'Azure DevOps. Null: nowhere',
    example: 'https://github.com/acme/shop',
  })
  sourceUrl?: string | null;
}

export class AssetCreate extends AssetDetails {
  @StringField({ ...assetName, example: 'Shop front end' })
  name: string;
  @EnumField(assetTypes)
  type: AssetType;
  @EnumField(assetClasses)
  class: AssetClass;
}

/** Omitted fields stay as they are; a detail and `tagIds` are replaced whole. */
export class AssetUpdate extends AssetDetails {
  @StringField({ ...assetName, ...left, example: 'Web shop, new front end' })
  name?: string;
  @EnumField(assetTypes, left)
  type?: AssetType;
  @EnumField(assetClasses, { ...left, description: 'Cannot change: send the current value, or omit it' })
  class?: AssetClass;
}

export class AssetFilter extends CursorPaging {
  @EnumListField(assetTypes, { optional: true })
  types?: AssetType[];
  @EnumListField(assetClasses, { optional: true })
  classes?: AssetClass[];
  @UuidListField({ optional: true, description: 'Assets with any of these tags' })
  tagIds?: string[];
  @StringField({
    optional: true,
    maxLength: 200,
    description: `Text in name or uri, ignoring case: ${searchLength}`,
  })
  search?: string;
  @TotalField()
  total: boolean;
}

export class AssetPath {
  @UuidField({ example: demo('asset') })
  id: string;
}
