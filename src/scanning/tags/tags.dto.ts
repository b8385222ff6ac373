import { demo } from '../../platform/openapi/demo-values.js';
import { ArrayField, DateTimeField, StringField, UuidField } from '../../platform/validation/fields.js';
import { nameBounds } from '../name-field.js';

/** The most tags of an asset. */
export const maxTags = 100;

// Unspecified: lengths of a tag's texts, and that its name is unique in the organization, without case.
const tagName = { ...nameBounds, maxLength: 100 };
const maxColor = 32;

/** A tag of an asset. */
export class AssetTag {
  @UuidField()
  id: string;
  @StringField({ example: 'production' })
  name: string;
  @StringField({ nullable: true, example: '#2f8c8c' })
  color: string | null;
}

export class Tag extends AssetTag {
  @DateTimeField()
  createdAt: Date;
}

export class TagPage {
  @ArrayField(() => Tag)
  data: Tag[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export class TagCreate {
  @StringField({ ...tagName, example: 'partner' })
  name: string;
  @StringField({ optional: true, nullable: true, maxLength: maxColor, example: '#c0392b' })
  color?: string | null;
}

/** Omitted fields stay as they are; null removes the color. */
export class TagUpdate {
  @StringField({ ...tagName, optional: true, nullable: 'ignored' })
  name?: string;
  @StringField({ optional: true, nullable: true, maxLength: maxColor, example: '#8e44ad' })
  color?: string | null;
}

export class TagPath {
  @UuidField({ example: demo('tag') })
  id: string;
}
