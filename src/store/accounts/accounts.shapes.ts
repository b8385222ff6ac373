import { StringField } from '../../common/validation/fields.js';

// Not shown: the body of an account's deletion.
export class AccountDeleted {
  @StringField({ example: 'The account was deleted' })
  message: string;
}
