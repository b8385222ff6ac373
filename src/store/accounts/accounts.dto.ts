import { StringField } from '../../platform/validation/fields.js';

// Unspecified: the body of an account's deletion.
export class AccountDeleted {
  @StringField({ example: 'The account was deleted' })
  message: string;
}
