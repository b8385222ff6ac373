import { sealedTask } from '../crypto/sealed-places.js';

/** The task of the jobs that send mails. */
export const mailTask = 'mail';

/** A mail in the queue, sealed, since links in it are as good as a password. */
export interface QueuedMail {
  id: string;
  /** When it was queued. */
  at: string;
  sealed: string;
}

/** A mail in the queue that is worded at the time of sending. */
export interface UnwordedMail {
  id: string;
  at: string;
  kind: string;
  about: string;
}

/** Binds a sealed mail to the queue. */
export const sealedMailPlace = sealedTask(mailTask, 'id');
