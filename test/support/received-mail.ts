import type { SMTPServerEnvelope } from 'smtp-server';

/** A mail as received, and as a mail program shows it. */
export interface ReceivedMail {
  raw: string;
  /** The recipients named to the mail server. */
  from: string;
  to: string[];
  /** Unfolded and decoded, by lower-case name, with every occurrence. */
  headers: [string, string][];
  subject: string;
  messageId: string;
  text: string;
  html: string;
  /** The links in the text. */
  links: string[];
}

function decodedWords(value: string): string {
  return value
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_all, encoding: string, text: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('latin1')
        : text
            .replace(/_/g, ' ')
            .replace(/=([0-9A-F]{2})/gi, (_byte, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    );
}

const utf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

function split(raw: string): { headers: [string, string][]; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]/g, ' ')
    .split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), utf8(decodedWords(line.slice(colon + 1).trim()))];
  });
  return { headers, body: raw.slice(end + 4) };
}

const valueOf = (headers: [string, string][], name: string): string => headers.find(([one]) => one === name)?.[1] ?? '';

function partsOf(raw: string): { type: string; content: string }[] {
  const { headers, body } = split(raw);
  const type = valueOf(headers, 'content-type');
  const boundary = /boundary="([^"]+)"/.exec(type)?.[1];
  if (boundary !== undefined) {
    const parts = body.split(`--${boundary}`).slice(1, -1);
    return parts.flatMap((part) => partsOf(part.replace(/^\r\n/, '').replace(/\r\n$/, '')));
  }
  const encoding = valueOf(headers, 'content-transfer-encoding');
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString('latin1')
      : encoding === 'quoted-printable'
        ? body
            .replace(/=\r\n/g, '')
            .replace(/=([0-9A-F]{2})/gi, (_byte, hex: string) => String.fromCharCode(parseInt(hex, 16)))
        : body;
  return [{ type, content: utf8(bytes).replace(/\r\n/g, '\n') }];
}

/** Reads a mail of the kinds that the service sends. */
export function readMail(bytes: Buffer, envelope?: SMTPServerEnvelope): ReceivedMail {
  const raw = bytes.toString('latin1').replace(/\r?\n/g, '\r\n');
  const { headers } = split(raw);
  const parts = partsOf(raw);
  const contentOf = (type: string) => parts.find((part) => part.type.startsWith(type))?.content ?? '';
  const text = contentOf('text/plain');
  return {
    raw,
    from: envelope?.mailFrom ? envelope.mailFrom.address : '',
    to: (envelope?.rcptTo ?? []).map(({ address }) => address),
    headers,
    subject: valueOf(headers, 'subject'),
    messageId: valueOf(headers, 'message-id'),
    text,
    html: contentOf('text/html'),
    links: text.match(/https?:\/\/\S+/g) ?? [],
  };
}
