import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sealedTask } from '../../platform/crypto/sealed-places.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { limitedAddressOf } from '../../platform/net/caller-address.js';
import { Rates } from '../../platform/quotas/rates.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import type { TaskHandler } from '../../platform/jobs/task.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { AddressChanges } from '../users/address-changes.js';
import type { Done, ForgottenPassword } from './account-links.dto.js';

const task = 'forgotten-password';
/** Binds a sealed address to jobs of this kind. */
const placeOfAddress = sealedTask(task);

/** Accepts requests for a new password without revealing whether there is such an account. */
@Injectable()
export class ForgottenPasswordsService implements OnModuleInit {
  constructor(
    private readonly addresses: AddressChanges,
    private readonly rates: Rates,
    private readonly mailer: Mailer,
    private readonly queue: JobQueue,
    private readonly jobs: JobRunner,
    private readonly box: SecretBox,
  ) {}

  onModuleInit(): void {
    const handler: TaskHandler = (payload) => {
      const { sealed } = payload as { sealed: string };
      return this.addresses.sendPasswordLink(this.box.open(sealed, placeOfAddress()));
    };
    this.jobs.register(task, handler, { deadlineSeconds: 60 });
  }

  /**
   * Mails a link to set a new password to the account with this address, if there is one. Neither the answer nor its
   * time shows whether there is: a job looks. `RateExceeded` after too many from one network address.
   */
  async forgot({ email }: ForgottenPassword, ip: string | undefined): Promise<Done> {
    const address = limitedAddressOf(ip);
    if (address !== undefined) await this.rates.take('forgottenPasswords', address);
    if (this.mailer.isOn) await this.queue.add(task, { sealed: this.box.seal(email, placeOfAddress()) });
    return { message: 'If an account has this address, we have sent a link to set a new password to it' };
  }
}
