import { createHash } from 'node:crypto';
import { escapeUTF8 } from 'entities/escape';

const style = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:15vh auto;padding:0 1rem}
label,input,button{display:block;font:inherit;width:100%;box-sizing:border-box;margin:.5rem 0;padding:.5rem}
label{padding:0}
button{background:#1d5fd1;color:#fff;border:0;border-radius:6px;padding:.75rem}`;

/** Allows a page only its own style, and to send its form to this service. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  // The address of the page has the token.
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

function page(shopName: string, title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeUTF8(title)} – ${escapeUTF8(shopName)}</title>
<style>${style}</style>
</head>
<body>
<p>${escapeUTF8(shopName)}</p>
<h1>${escapeUTF8(title)}</h1>
${body}
</body>
</html>
`;
}

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
