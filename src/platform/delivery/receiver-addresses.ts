import { Injectable } from '@nestjs/common';
import { Invalid } from '../errors/invalid.js';
import { OutboundHttp } from '../net/outbound-http.js';
import { TargetRefused } from '../net/target-errors.js';

/** Checks the addresses of receivers before they are stored. */
@Injectable()
export class ReceiverAddresses {
  constructor(private readonly outbound: OutboundHttp) {}

  /** Throws `Invalid` at `loc` for an address that nothing may be sent to; the check may need the network. */
  async assert(url: string, loc: (string | number)[]): Promise<void> {
    try {
      await this.outbound.checkTarget(url);
    } catch (error) {
      if (!(error instanceof TargetRefused)) throw error;
      throw Invalid.at(loc, 'value_error', error.message);
    }
  }
}
