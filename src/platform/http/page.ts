import { createHash } from 'node:crypto';
import { escapeUTF8 } from 'entities/escape';

const style = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:15vh auto;padding:0 1rem}
label,input,button{display:block;font:inherit;width:100%;box-sizing:border-box;margin:.5rem 0;padding:.5rem}
label{padding:0}
button{background:#1d5fd1;color:#fff;border:0;border-radius:6px;padding:.75rem}
button.other{background:none;color:inherit;border:1px solid}`;

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
export function page(shopName: string, title: string, body: string): string {
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
