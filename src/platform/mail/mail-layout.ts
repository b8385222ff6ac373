import { escapeUTF8 } from 'entities/escape';
import { onOneLine } from './header-text.js';
import type { MailBlock, MailingShop } from './mail.js';

const maxText = 2_000;
const textWidth = 72;

const line = (text: string): string => onOneLine(text, maxText);
const escaped = (text: string): string => escapeUTF8(line(text));

/**
 * Breaks a paragraph into lines, so that it is sent as it stands; a word without blanks, such as a link, stays whole.
 */
function wrapped(text: string): string {
  const lines: string[] = [];
  let current = '';
  for (const word of line(text).split(' ')) {
    if (current !== '' && current.length + 1 + word.length > textWidth) {
      lines.push(current);
      current = word;
    } else {
      current = current === '' ? word : `${current} ${word}`;
    }
  }
  return [...lines, current].join('\n');
}

function textOf(block: MailBlock): string {
  if ('text' in block) return wrapped(block.text);
  if ('button' in block) return `${wrapped(`${block.button.label}:`)}\n${block.button.url}`;
  if ('code' in block) return `    ${line(block.code)}`;
  const width = Math.max(...block.rows.map(([name]) => line(name).length));
  return block.rows.map(([name, value]) => `${`${line(name)}:`.padEnd(width + 2)}${line(value)}`).join('\n');
}

const paragraph = 'margin:0 0 16px;font-size:16px;line-height:1.5';

export function htmlOf(block: MailBlock): string {
  if ('text' in block) return `<p dir="auto" style="${paragraph}">${escaped(block.text)}</p>`;
  if ('code' in block) {
    return `<p style="${paragraph}"><code style="font-size:18px;letter-spacing:1px">${escaped(block.code)}</code></p>`;
  }
  if ('button' in block) {
    const { label, url } = block.button;
    const href = escapeUTF8(url);
    const look = 'display:inline-block;padding:12px 20px;border-radius:6px;background:#1d5fd1;color:#ffffff';
    return (
      `<p style="${paragraph}"><a href="${href}" style="${look};text-decoration:none;font-weight:600">${escaped(label)}</a></p>` +
      `<p style="${paragraph};font-size:13px;word-break:break-all"><a href="${href}" class="link">${href}</a></p>`
    );
  }
  const cell = 'padding:4px 16px 4px 0;font-size:15px;line-height:1.4;vertical-align:top';
  const rows = block.rows.map(
    ([name, value]) =>
      `<tr><td style="${cell}" dir="auto">${escaped(name)}</td><td style="${cell}" dir="auto">${escaped(value)}</td></tr>`,
  );
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px">${rows.join('')}</table>`;
}

/** What stands below a mail: the shop's name, and how to reach it. */
function signatureOf({ name, contact_email, address }: MailingShop): string[] {
  return [name, contact_email, ...(address?.split(/\r\n|\r|\n/) ?? [])].map((text) => line(text ?? '')).filter(Boolean);
}

/** The blocks as plain text. */
export function blocksText(blocks: MailBlock[]): string {
  return blocks.map(textOf).join('\n\n');
}

/** The blocks as plain text, below them the shop. */
export function plainText(blocks: MailBlock[], shop: MailingShop): string {
  return `${[blocksText(blocks), ['-- ', ...signatureOf(shop)].join('\n')].join('\n\n')}\n`;
}

/**
 * The blocks as a page of their own: no pictures, no remote content, the colors of the mail program, light or dark.
 * Only the button has a color, one that can be read on both.
 */
export function html(blocks: MailBlock[], subject: string, shop: MailingShop): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>
:root { color-scheme: light dark; }
.link { color: #1d5fd1; }
@media (prefers-color-scheme: dark) { .link { color: #8ab4ff !important; } }
</style>
</head>
<body style="margin:0;padding:24px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="max-width:560px;margin:0 auto">
${blocks.map(htmlOf).join('\n')}
<p dir="auto" style="${paragraph};font-size:13px;opacity:0.75">${signatureOf(shop)
    .map((text) => escapeUTF8(text))
    .join('<br>')}</p>
</div>
</body>
</html>
`;
}
