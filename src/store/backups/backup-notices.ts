import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { AdminMails } from '../account-mail/admin-mails.js';

/** Words the mails to the admins about backups. */
@Injectable()
export class BackupNotices {
  constructor(
    private readonly mails: AdminMails,
    private readonly settings: Settings,
  ) {}

  failed(reason: string): Promise<void> {
    const place = this.place();
    return this.mails.send({
      kind: 'backup-failed',
      values: { reason, place },
      subject: 'No backup could be made',
      blocks: [
        { text: 'the service could not make its backup. The earlier backups are untouched.' },
        {
          rows: [
            ['Reason', reason],
            ['Place', place],
          ],
        },
        { text: 'It tries again every hour. You get no further mail about it until a backup is made.' },
      ],
    });
  }

  worksAgain(): Promise<void> {
    const place = this.place();
    return this.mails.send({
      kind: 'backup-works-again',
      values: { place },
      subject: 'Backups are made again',
      blocks: [
        { text: 'the service has made a backup again, and has tried a restore of it.' },
        { rows: [['Place', place]] },
      ],
    });
  }

  private place(): string {
    const { place } = this.settings.backup;
    return 'folder' in place ? place.folder : `the bucket ${place.bucket.bucket}`;
  }
}
