import type { MailKind, MailValues } from './mail-kinds.js';

export type MailBlock =
  /** A paragraph. */
  | { text: string }
  /** A link to follow, on its own. */
  | { button: { label: string; url: string } }
  /** Names and values, one below the other. */
  | { rows: [string, string][] }
  /** Something to copy or compare. */
  | { code: string };

/** A mail as its module words it. Its look is defined once, for all. */
export interface Mail<Kind extends MailKind = MailKind> {
  /** Its subject matter. */
  kind: Kind;
  /** What the words of the shop may name, if it words such mails itself. */
  values: MailValues<Kind>;
  to: { address: string; name: string };
  subject: string;
  blocks: MailBlock[];
  /** Its account: the mail is not sent once that is deleted. */
  account?: string;
  /** The time after which it is useless, such as the end of a link in it: it is not sent later. */
  usefulUntil?: Date;
}

/** A mail as it leaves: the same bytes at every attempt. */
export interface Message {
  /** The same at every attempt, so that somebody who gets it twice can tell. */
  id: string;
  kind: string;
  date: Date;
  from: { address: string; name: string };
  to: { address: string; name: string };
  subject: string;
  text: string;
  html: string;
  /** The links in it. */
  links: string[];
}

/** Whether an account still exists. The users module provides it. */
export abstract class MailAccounts {
  abstract exists(accountId: string): Promise<boolean>;
}

/** What every mail says of the shop. */
export interface MailingShop {
  name: string;
  contact_email: string | null;
  address: string | null;
}

/** The shop as it is now. The shop's module provides it. */
export abstract class MailShop {
  abstract current(): Promise<MailingShop>;
}
