import { escapeUTF8 } from 'entities/escape';
import { page } from '../../platform/http/page.js';

/** A page with a sentence. */
export function saying(shopName: string, title: string, sentence: string): string {
  return page(shopName, title, `<p>${escapeUTF8(sentence)}</p>`);
}

interface FormPage {
  title: string;
  /** The address that the form is sent to, beside the page itself. */
  action: string;
  token: string;
  button: string;
  /** The reason why the page is shown again. */
  problem?: string;
  /** Whether it asks for a new password. */
  password?: boolean;
}

/** A page that does something when its button is pressed, and nothing when it is only looked at. */
export function asking(shopName: string, { title, action, token, button, problem, password }: FormPage): string {
  const passwordField = `<label for="new_password">New password, 8 to 128 characters</label>
<input id="new_password" name="new_password" type="password" autocomplete="new-password" minlength="8" maxlength="128" required>`;
  return page(
    shopName,
    title,
    `${problem === undefined ? '' : `<p role="alert">${escapeUTF8(problem)}</p>`}
<form method="post" action="${escapeUTF8(action)}">
<input type="hidden" name="token" value="${escapeUTF8(token)}">
${password ? passwordField : ''}
<button>${escapeUTF8(button)}</button>
</form>`,
  );
}
