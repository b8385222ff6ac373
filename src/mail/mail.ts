export type MailBlock =
  /** A paragraph. */
  | { text: string }
  /** A link that is to be followed, on its own. */
  | { button: { label: string; url: string } }
  /** Names and values, one below the other. */
  | { rows: [string, string][] }
  /** Something to be copied or compared. */
  | { code: string };

/** A mail as the module that sends it words it. How it looks is said once, for all. */
export interface Mail {
  /** What it is about, for the log: `password-reset`. */
  kind: string;
  to: { address: string; name: string };
  subject: string;
  blocks: MailBlock[];
  /** The account that it is for: it is not sent once that is deleted. */
  account?: string;
  /** The end of its use, such as that of a link in it: it is not sent later. */
  usefulUntil?: Date;
}

/** A mail as it leaves: the same bytes at every attempt. */
export interface Message {
  /** The same at every attempt, so that whoever gets it twice can tell. */
  id: string;
  kind: string;
  date: Date;
  to: { address: string; name: string };
  subject: string;
  text: string;
  html: string;
  /** The links in it. */
  links: string[];
}

/** Whether an account is still there. The users module provides it. */
export abstract class MailAccounts {
  abstract exists(accountId: string): Promise<boolean>;
}
