import { createHash } from 'node:crypto';
import { escapeUTF8 } from 'entities/escape';

/** The colors of the shop front's theme, so that its visitors find themselves still in the shop. */
const style = `:root{color-scheme:light dark;--page:#faf8f4;--card:#fff;--line:#e3ddd1;--edge:#8f8779;--ink:#24211c;--muted:#665f54;--accent:#2b4a3d;--on:#fff;--focus:#1f5fbf}
@media(prefers-color-scheme:dark){:root{--page:#171613;--card:#211f1b;--line:#38342d;--edge:#8d8576;--ink:#f2eee6;--muted:#b3aa9b;--accent:#bcd9c8;--on:#14241c;--focus:#9cc3ff}}
body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:1rem;background:var(--page);color:var(--ink)}
main{max-width:28rem;margin:10vh auto 0;padding:1.5rem;box-sizing:border-box;border:1px solid var(--line);border-radius:10px;background:var(--card);overflow-wrap:anywhere}
h1{font:500 2rem/1.15 Georgia,serif;margin:.25rem 0 1rem}
.shop{color:var(--muted);margin:0}
label,input,button{display:block;font:inherit;width:100%;box-sizing:border-box}
label{margin-top:1rem;font-weight:600;font-size:.875rem}
input{min-height:44px;padding:.5rem .875rem;border:1px solid var(--edge);border-radius:6px;background:var(--card);color:inherit}
button{min-height:44px;margin-top:1rem;padding:.5rem 1.5rem;border:1px solid var(--accent);border-radius:99px;background:var(--accent);color:var(--on);font-weight:600;cursor:pointer}
button.other{margin-top:.5rem;border-color:var(--edge);background:none;color:inherit}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}`;

const ownStyle = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** Allows a page only its own style, and to send its form to this service, from where it may lead to another origin. */
export function contentPolicy(formTarget?: string): string {
  const targets = ["'self'", ...(formTarget === undefined ? [] : [formTarget])].join(' ');
  const policy = ["default-src 'none'", `style-src ${ownStyle}`, `form-action ${targets}`, "base-uri 'none'"];
  return [...policy, "frame-ancestors 'none'"].join('; ');
}

export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentPolicy(),
  'Cache-Control': 'no-store',
  // The address of a page may have a token.
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

/** A page of the service itself, in its plain look; `body` is HTML. */
export function page(shopName: string, title: string, body: string, language = 'en'): string {
  return `<!doctype html>
<html lang="${escapeUTF8(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeUTF8(title)} – ${escapeUTF8(shopName)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="shop">${escapeUTF8(shopName)}</p>
<h1>${escapeUTF8(title)}</h1>
${body}
</main>
</body>
</html>
`;
}
