import type { SendMailOptions } from 'nodemailer';
import type { Message } from './mail.js';

/** A message as nodemailer takes it. Nothing in it is read from files or addresses. */
export function toNodemailer({ id, date, from, to, subject, text, html }: Message): SendMailOptions {
  return {
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    date,
    from,
    to,
    subject,
    text,
    html,
    // No automatic reply is wanted (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
