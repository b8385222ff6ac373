import { CursorPaging } from '../platform/http/cursor.js';
import { StringField } from '../platform/validation/fields.js';

/** The paging of lists that can be searched. */
export class SearchPaging extends CursorPaging {
  // Unspecified: a longest search text. Longer ones match nothing that is stored.
  @StringField({ optional: true, maxLength: 200, description: 'Text to find, ignoring case' })
  search?: string;
}
