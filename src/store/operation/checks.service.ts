import { Injectable } from '@nestjs/common';
import { dataDisks } from '../../config/data-disks.js';
import { isLoopback } from '../../config/mail-settings.js';
import { Settings } from '../../config/settings.js';
import { JobMetrics } from '../../platform/jobs/job-metrics.js';
import { lateSeconds } from '../../platform/jobs/late-jobs.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { unknownAddress } from '../../platform/net/caller-address.js';
import { type BackupState, BackupsService } from '../backups/backups.service.js';
import { UploadsService } from '../uploads/uploads.service.js';
import type { CheckName, CheckState, OperationCheck } from './operation.dto.js';
import { OperationRepository } from './operation.repository.js';
import { certificateAt } from './own-address.js';

type Found = [state: CheckState, message: string];

const mostSkewMs = 2_000;
const slowMs = 500;
const day = 86_400_000;
const certificateDays = 14;
const fullShare = 0.05;
const leastFreeBytes = 1_000_000_000;

/** What a request tells of the way it came. */
export interface RequestWay {
  ip: string | undefined;
  /** Whether a proxy says for whom it asks. */
  isForwarded: boolean;
}

/** What an operator looks at, each with what to do where it is not well. */
@Injectable()
export class ChecksService {
  constructor(
    private readonly repository: OperationRepository,
    private readonly jobs: JobMetrics,
    private readonly mailer: Mailer,
    private readonly uploads: UploadsService,
    private readonly backups: BackupsService,
    private readonly settings: Settings,
  ) {}

  /** Looks at everything at once; `way` is that of the present request. A look that itself fails is a failed check. */
  all(way: RequestWay | null): Promise<OperationCheck[]> {
    const looks: Record<CheckName, () => Promise<Found>> = {
      database: () => this.database(),
      clock: () => this.clock(),
      jobs: () => this.queue(),
      mail: () => this.mail(),
      storage: () => this.storage(),
      disk: () => this.disk(),
      address: () => Promise.resolve(this.address(way)),
      certificate: () => this.certificate(),
      backup: () => this.backup(),
    };
    return Promise.all(
      Object.entries(looks).map(async ([name, look]) => {
        const [state, message] = await look().catch((error: Error): Found => ['failed', error.message]);
        return { name: name as CheckName, state, message };
      }),
    );
  }

  private async database(): Promise<Found> {
    const begun = performance.now();
    const { version, inTheOpen } = await this.repository.facts();
    const ms = Math.round(performance.now() - begun);
    const said = `It answers in ${ms} ms (PostgreSQL ${version.split(' ')[0]})`;
    if (ms > slowMs) return ['warning', `${said}: look at its load, and at the network between`];
    if (inTheOpen) return ['warning', `${said}, unencrypted over a network: add ?sslmode=verify-full to DATABASE_URL`];
    return ['ok', said];
  }

  private async clock(): Promise<Found> {
    const before = Date.now();
    const { now } = await this.repository.facts();
    const apart = Math.max(before - now.getTime(), now.getTime() - Date.now(), 0);
    if (apart <= mostSkewMs) return ['ok', 'The clocks of this node and of the database agree'];
    const seconds = (apart / 1_000).toFixed(1);
    return ['failed', `The clocks of this node and of the database are ${seconds} s apart: let NTP set both`];
  }

  private async queue(): Promise<Found> {
    const figures = await this.jobs.figures();
    const late = figures.filter(({ oldest }) => oldest >= lateSeconds).map(({ task }) => task);
    if (late.length === 0) return ['ok', 'No job waits for long'];
    return ['failed', `Jobs wait for more than a minute (${late.join(', ')}): docs/scale.md says what to look at`];
  }

  private async mail(): Promise<Found> {
    if (!this.mailer.isOn) return ['warning', 'No mails are sent: set SMTP_URL'];
    await this.mailer.check().catch((error: Error) => {
      throw new Error(`The mail server refuses (${error.message}): correct SMTP_URL, or wait until it is back`);
    });
    const { smtp } = this.settings.mail;
    if (!smtp) return ['warning', 'Mails go into a folder: set SMTP_URL'];
    if (smtp.secure || smtp.requireTls || isLoopback(smtp.host)) return ['ok', 'The mail server accepts the login'];
    return ['warning', 'Mails may go over the network unencrypted: add ?requireTLS=true to SMTP_URL, or use smtps://'];
  }

  private async storage(): Promise<Found> {
    if (await this.uploads.storageResponds()) return ['ok', 'Pictures can be stored and read'];
    return ['failed', 'Pictures cannot be stored or read: the log says why'];
  }

  private async disk(): Promise<Found> {
    const { dataDir } = this.settings;
    const disks = await dataDisks(dataDir);
    const inGigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1);
    const said = disks.map(({ folder, free, size }) => {
      const place = folder === dataDir ? 'at DATA_DIR' : `in ${folder}, where the database lies`;
      return `${inGigabytes(free)} GB of ${inGigabytes(size)} GB are free ${place}`;
    });
    const isShort = disks.some(({ free, size }) => free < leastFreeBytes || free / size < fullShare);
    const advice = isShort ? ': make room, or move DATA_DIR to a larger disk' : '';
    return [isShort ? 'failed' : 'ok', said.join('; ') + advice];
  }

  /** Whether callers' addresses are seen, as far as the present request tells. */
  private address(way: RequestWay | null): Found {
    if (way === null) return ['off', 'Only a request from outside tells: look at GET /api/v1/admin/operation'];
    if (way.isForwarded && this.settings.trustProxy === false) {
      return ['failed', 'A proxy is in front, and TRUST_PROXY is not set: all callers count as one address'];
    }
    if (way.ip === unknownAddress) {
      return [
        'warning',
        'This request comes from this machine, or through a proxy that forwards no address: look once from elsewhere, and ' +
          'if this stays, have the proxy send X-Forwarded-For and set TRUST_PROXY',
      ];
    }
    return ['ok', `This request comes from ${way.ip}: if that is not your address, correct TRUST_PROXY`];
  }

  private async certificate(): Promise<Found> {
    const { publicUrl } = this.settings;
    if (publicUrl === undefined) return ['off', 'PUBLIC_URL is not set: links in mails lead to this machine'];
    const found = await certificateAt(publicUrl).catch((error: Error) => {
      throw new Error(`${publicUrl} cannot be reached from here (${error.message})`);
    });
    if (found === null) return ['warning', `${publicUrl} is not https: passwords go over the network as they are`];
    const days = Math.floor((found.validTo.getTime() - Date.now()) / day);
    if (found.fault !== null)
      return ['failed', `The certificate of ${publicUrl} is refused (${found.fault}): renew it`];
    const said = `The certificate of ${publicUrl} is valid for ${days} days`;
    return days < certificateDays ? ['warning', `${said}: renew it`] : ['ok', said];
  }

  private async backup(): Promise<Found> {
    const state = await this.backups.state();
    const [newest] = await this.backups.newest(1);
    const isOwn = this.settings.databaseUrl === undefined;
    const held = isOwn
      ? ''
      : '. It holds pictures and keys: the tools of your database back up the rest (docs/scale.md)';
    const found: Record<BackupState, Found> = {
      off: ['off', 'The service makes no backups: set BACKUP_SCHEDULE, or use the tools of your database'],
      none: ['warning', 'There is no backup yet: the first one is made at the next time of BACKUP_SCHEDULE'],
      late: ['failed', 'Two times of BACKUP_SCHEDULE passed without a backup: the log says why'],
      failed: ['failed', `The last backup failed: ${newest?.reason ?? 'the log says why'}`],
      ok: ['ok', `The last backup was begun at ${newest?.begunAt.toISOString()}, and was tried by a restore${held}`],
    };
    return found[state];
  }
}
