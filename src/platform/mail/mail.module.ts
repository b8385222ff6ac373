import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { CryptoModule } from '../crypto/crypto.module.js';
import { serviceLogger } from '../http/request-log.js';
import { Settings } from '../../config/settings.js';
import { OutsideCalls } from '../net/outside-calls.js';
import { EmlFolder } from './eml-folder.js';
import { MailLinks } from './mail-links.js';
import { MailSender } from './mail-sender.js';
import { MailTemplates, readMailTemplates } from './mail-templates.js';
import { MailTransport } from './mail-transport.js';
import { MailWriters } from './mail-writers.js';
import { Mailer } from './mailer.js';
import { QueuedMails } from './queued-mails.js';
import { SmtpTransport } from './smtp-transport.js';

/** Null if mails cannot be sent. */
function transportOf({ mail, production, dataDir }: Settings, logger: Logger): MailTransport | null {
  if (mail.smtp) return new SmtpTransport(mail.smtp);
  return production ? null : new EmlFolder(join(dataDir, 'mail'), logger);
}

function transportTo(settings: Settings, logger: Logger, outside?: OutsideCalls): MailTransport | null {
  const transport = transportOf(settings, logger);
  return transport && outside ? outside.around('mail', transport) : transport;
}

/** Mails: their look, and their reliable delivery. Their contents are the modules' own. */
@Global()
@Module({
  imports: [CryptoModule],
  providers: [
    {
      provide: MailTransport,
      inject: [Settings, serviceLogger, { token: OutsideCalls, optional: true }],
      useFactory: transportTo,
    },
    {
      provide: MailTemplates,
      inject: [Settings],
      useFactory: ({ mail }: Settings) => readMailTemplates(mail.templates),
    },
    Mailer,
    MailLinks,
    MailSender,
    MailWriters,
    QueuedMails,
  ],
  exports: [Mailer, MailLinks, MailSender, MailWriters],
})
export class MailModule {}
