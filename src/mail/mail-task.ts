/** The task of the jobs that send mails. */
export const mailTask = 'mail';

/** A mail in the queue, sealed, since links in it are as good as a password. */
export interface QueuedMail {
  id: string;
  /** When it was queued. */
  at: string;
  sealed: string;
}

/** A mail in the queue that is worded when it is sent. */
export interface UnwordedMail {
  id: string;
  at: string;
  kind: string;
  about: string;
}

/** The place that a queued mail is sealed for. */
export function sealedMailPlace(id: string): string {
  return `mail:${id}`;
}
