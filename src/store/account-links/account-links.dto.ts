import { StringField } from '../../platform/validation/fields.js';
import { saidText } from '../../platform/validation/texts.js';

const maxToken = 128;
const maxEmail = 254;

export class EmailConfirmation {
  @StringField({
    secret: true,
    trimmed: true,
    maxLength: maxToken,
    description: 'The part of the link in the mail after `token=`',
    example: 'the token of the link',
  })
  token: string;
}

export class ForgottenPassword {
  @StringField({ format: 'email', maxLength: maxEmail, example: 'maria@example.com' })
  email: string;
}

export class PasswordReset extends EmailConfirmation {
  @StringField({ ...saidText, minLength: 8, maxLength: 128, secret: true, example: 'correct-horse-8' })
  new_password: string;
}

/** Says which action was taken, or will be. */
export class Done {
  @StringField({ example: 'The address is confirmed' })
  message: string;
}

export class LinkQuery {
  @StringField({ default: '', maxLength: maxToken })
  token: string;
}
