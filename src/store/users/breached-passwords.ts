import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { OutboundHttp } from '../../platform/net/outbound-http.js';

const prefixLength = 5;
const timeoutMs = 3_000;
/** An answer has about 1,000 lines of 40 bytes. */
const maxBytes = 1_000_000;
const warnEveryMs = 600_000;

/**
 * Passwords that were stolen elsewhere, asked of a service with the interface of Pwned Passwords
 * (https://haveibeenpwned.com/API/v3#PwnedPasswords). It gets the first five digits of the SHA-1 digest, which hundreds of
 * passwords share, and never the password.
 */
@Injectable()
export class BreachedPasswords {
  private readonly logger = new Logger('Passwords');
  private readonly address: string | undefined;
  private warnedAt = 0;

  constructor(
    private readonly http: OutboundHttp,
    { breachedPasswordsUrl }: Settings,
  ) {
    const given = breachedPasswordsUrl;
    this.address = given === undefined || given.endsWith('/') ? given : `${given}/`;
  }

  /**
   * Whether the password is known to be stolen. False where no service is set, and where it does not answer: nobody is to be
   * kept out of their account by it.
   */
  async has(password: string): Promise<boolean> {
    if (this.address === undefined) return false;
    const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
    try {
      const lines = await this.range(this.address, digest.slice(0, prefixLength));
      return lines.some((line) => isCounted(line, digest.slice(prefixLength)));
    } catch (error) {
      this.warn((error as Error).message);
      return false;
    }
  }

  private async range(address: string, prefix: string): Promise<string[]> {
    const { status, body } = await this.http.send({
      url: address + prefix,
      // So that the size of the answer tells nothing.
      headers: [['Add-Padding', 'true']],
      maxRedirects: 0,
      timeoutMs,
      maxBytes,
      onTooLarge: 'refuse',
    });
    if (status !== 200) throw new Error(`it answers with ${status}`);
    return body.toString('latin1').split(/\r?\n/);
  }

  private warn(why: string): void {
    if (Date.now() - this.warnedAt < warnEveryMs) return;
    this.warnedAt = Date.now();
    this.logger.warn(`BREACHED_PASSWORDS_URL cannot be asked, and new passwords are not looked up there: ${why}`);
  }
}

/** Lines that pad an answer have the count 0. */
function isCounted(line: string, suffix: string): boolean {
  const [found, count] = line.split(':');
  return found?.toUpperCase() === suffix && Number(count) > 0;
}
