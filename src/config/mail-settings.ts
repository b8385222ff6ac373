import type { EnvironmentReader } from './environment-reader.js';
import { parseUrl, parseWebUrl } from './parse-url.js';

/** A mail server, as SMTP_URL names it. */
export interface SmtpServer {
  host: string;
  port: number;
  /** Whether the connection begins with TLS; if not, it upgrades to TLS (STARTTLS) when the server offers it. */
  secure: boolean;
  /** Whether to send nothing before the connection is encrypted. */
  requireTls: boolean;
  /** Whether to trust any certificate. */
  anyCertificate: boolean;
  /** Whether to ignore an offer of STARTTLS. */
  ignoreTls: boolean;
  user: string | undefined;
  password: string | undefined;
  /** The name by which the service introduces itself; undefined for that of its machine. */
  clientName: string | undefined;
}

export interface MailSender {
  /** Null: the name of the shop. */
  name: string | null;
  address: string;
}

/** The sender of mails, and the way they go. */
export interface MailSettings {
  /** Unset, mails are written to `dataDir` outside production, and none are sent in production. */
  smtp: SmtpServer | undefined;
  from: MailSender;
  /** The address of the shop's own pages for confirming and resetting; undefined for those of the shop front or the service. */
  accountPagesUrl: string | undefined;
  /** The folder of the mails that the shop words itself. */
  templates: string | undefined;
}

const ports: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };
const flags = new Set(['requireTLS', 'ignoreTLS', 'tls.rejectUnauthorized']);

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The mail server of a URL, with nodemailer's own names for the options after the question mark. */
export function parseSmtpUrl(value: string): SmtpServer | undefined {
  const url = parseUrl(value);
  if (!url) return undefined;
  const port = Number(url.port) || ports[url.protocol];
  const [user, password] = [decoded(url.username), decoded(url.password)];
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!port || !host || user === undefined || password === undefined) return undefined;
  const query = url.searchParams;
  for (const [name, set] of query) {
    if (flags.has(name) ? !/^(true|false)$/.test(set) : name !== 'name' || !/^[\w.:[\]-]{1,253}$/.test(set)) {
      return undefined;
    }
  }
  const ignoreTls = query.get('ignoreTLS') === 'true';
  // A password is sent unencrypted only if the operator explicitly allows it.
  const requireTls = user !== '' && !isLoopback(host) && !ignoreTls;
  return {
    host,
    port,
    secure: url.protocol === 'smtps:',
    requireTls: query.has('requireTLS') ? query.get('requireTLS') === 'true' : requireTls,
    anyCertificate: query.get('tls.rejectUnauthorized') === 'false',
    ignoreTls,
    user: user || undefined,
    password: password || undefined,
    clientName: query.get('name') ?? undefined,
  };
}

const address = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

/** `name@host`, or `Name <name@host>`, with or without quotes around the name. */
export function parseSender(value: string): MailSender | undefined {
  const bracket = value.endsWith('>') ? value.lastIndexOf('<') : -1;
  const bare = bracket < 0 ? value : value.slice(bracket + 1, -1);
  const name = bracket < 0 ? '' : value.slice(0, bracket).trim().replace(/^"/, '').replace(/"$/, '');
  const usable = address.test(bare) && name.length <= 100 && !/[\p{Cc}"<>]/u.test(name);
  return usable ? { name: name || null, address: bare } : undefined;
}

/** Reads the settings of mail. */
export function readMailSettings(read: EnvironmentReader): MailSettings {
  const url = read.secret(
    'SMTP_URL',
    'a URL such as smtps://user:password@mail.example.com:465, with requireTLS, ignoreTLS, ' +
      'tls.rejectUnauthorized or name after "?"',
    (value) => parseSmtpUrl(value) !== undefined,
  );
  const nobody = { name: null, address: 'no-reply@localhost' };
  const from = read.parsed('MAIL_FROM', 'an address, or a name with one: Shop <shop@example.com>', nobody, parseSender);
  if (url !== undefined && read.text('MAIL_FROM') === undefined) {
    read.problems.push(
      'MAIL_FROM must be set together with SMTP_URL: it is the sender of mails, such as Shop <shop@example.com>',
    );
  }
  const accountPagesUrl = read.parsed<string | undefined>(
    'ACCOUNT_PAGES_URL',
    'an http(s) URL',
    undefined,
    parseWebUrl,
  );
  const templates = read.text('MAIL_TEMPLATES');
  return { smtp: url === undefined ? undefined : parseSmtpUrl(url), from, accountPagesUrl, templates };
}
