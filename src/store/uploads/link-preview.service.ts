import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequests } from '../../common/errors/kinds.js';
import { limitedAddressOf } from '../../common/net/caller-address.js';
import { previewOf } from './pages/page-preview.js';
import { type Fetch, RemoteContent } from './remote-content.js';
import type { UrlFetchResponse } from './uploads.shapes.js';

const accept = 'text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5';

// Unspecified: a limit. The operation is public and sends requests elsewhere, so an address gets one a second.
const fetchesPerMinute = 60;

/** Previews of pages behind links. */
@Injectable()
export class LinkPreviewService {
  private readonly limiter = new RateLimiterMemory({ points: fetchesPerMinute, duration: 60 });

  constructor(private readonly remote: RemoteContent) {}

  /**
   * Fetches `url` and returns what was found. `Invalid` at `url` for an address that may not be asked, `UpstreamFailed`
   * where nothing whole comes from it, `TooManyRequests` beyond 60 a minute, or a few at once, from one address save
   * loopback, `Unavailable` when too many wait.
   */
  async fetch(url: string, address: string): Promise<UrlFetchResponse> {
    const caller = limitedAddressOf(address);
    await this.count(caller);
    const location: Fetch['location'] = ['query', 'url'];
    // Unspecified: which url after redirects; the one that was asked for, so that clients find their link again.
    return this.remote.get({ url, accept, budget: 'preview', caller, location }, ({ status, contentType, body }) => ({
      url,
      status_code: status,
      content_type: contentType,
      content_length: body.length,
      preview: previewOf(body, contentType),
    }));
  }

  private async count(caller: string | undefined): Promise<void> {
    if (caller === undefined) return;
    try {
      await this.limiter.consume(caller);
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason;
      const sentence = 'Too many links fetched from your address: wait as long as Retry-After says';
      throw new TooManyRequests(sentence, reason.msBeforeNext / 1000);
    }
  }
}
