import { Injectable } from '@nestjs/common';
import { TooManyWaiting, Turns } from '../../common/crypto/turns.js';
import { Invalid } from '../../common/errors/invalid.js';
import { Unavailable, UpstreamFailed } from '../../common/errors/kinds.js';
import { OutboundHttp, type OutboundResponse } from '../../common/net/outbound-http.js';
import { TargetRefused, TargetUnreachable } from '../../common/net/target-errors.js';

const timeoutMs = 5_000;
const maxBytes = 5 * 1024 * 1024;
const maxRedirects = 5;

// Not shown: how many pages and pictures are fetched at once. Each takes up to 5 MiB and 5 seconds.
const atOnce = 16;
const maxWaiting = 64;

/** Where the address stood in the request, for the refusal. */
export type UrlLocation = ['body' | 'query', 'url'];

/** Pages and pictures elsewhere, fetched a few at a time. */
@Injectable()
export class RemoteContent {
  private readonly turns = new Turns(atOnce, maxWaiting);

  constructor(private readonly http: OutboundHttp) {}

  /**
   * The answer to a GET, whatever its status. `Invalid` at `location` for an address that may not be asked,
   * `UpstreamFailed` where no whole answer comes in 5 s and 5 MiB, `Unavailable` when too many wait.
   */
  async get(url: string, accept: string, location: UrlLocation): Promise<OutboundResponse> {
    const headers: [string, string][] = [
      ['Accept', accept],
      ['User-Agent', 'StoreService/1.0'],
    ];
    const request = { url, headers, maxBytes, onTooLarge: 'refuse', maxRedirects, timeoutMs } as const;
    try {
      return await this.turns.run(() => this.http.send({ ...request, headers }));
    } catch (error) {
      if (error instanceof TargetRefused) throw Invalid.at([...location], 'value_error', error.message);
      if (error instanceof TargetUnreachable) throw new UpstreamFailed(error.message, `upstream_${error.reason}`);
      if (!(error instanceof TooManyWaiting)) throw error;
      throw new Unavailable('Too many addresses are being fetched at this moment: try again in a few seconds', 'busy');
    }
  }
}
