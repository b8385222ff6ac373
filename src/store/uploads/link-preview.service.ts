import { Injectable } from '@nestjs/common';
import { NodeRates } from '../../platform/concurrency/node-rates.js';
import { TooManyRequests } from '../../platform/errors/errors.js';
import { limitedAddressOf } from '../../platform/net/caller-address.js';
import { type Fetch, RemoteContent } from './remote-content.js';
import type { UrlFetchResponse } from './uploads.dto.js';

const accept = 'text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5';

// Unspecified: a limit. The operation is public and sends requests elsewhere, so an address gets one a second.
const rate = { name: 'link-previews', points: 60, seconds: 60 };

/** Previews links. */
@Injectable()
export class LinkPreviewService {
  constructor(
    private readonly remote: RemoteContent,
    private readonly rates: NodeRates,
  ) {}

  /**
   * Fetches `url` and returns a preview. `Invalid` at `url` for an address that the service may not request, `UpstreamFailed`
   * where no whole response comes from it, `TooManyRequests` beyond 60 a minute, or a few at once, from one address other than
   * loopback, `Unavailable` when too many wait.
   */
  async fetch(url: string, address: string): Promise<UrlFetchResponse> {
    const caller = limitedAddressOf(address);
    await this.count(caller);
    const location: Fetch['location'] = ['query', 'url'];
    // Unspecified: which url after redirects; the requested one, so that clients find their link again.
    const request: Fetch = { url, accept, budget: 'preview', caller, location };
    return this.remote.get(request, async ({ status, contentType, body }) => {
      // Here, so that a start does not load htmlparser2.
      const { previewOf } = await import('./pages/page-preview.js');
      return {
        url,
        status_code: status,
        content_type: contentType,
        content_length: body.length,
        preview: previewOf(body, contentType),
      };
    });
  }

  private async count(caller: string | undefined): Promise<void> {
    if (caller === undefined) return;
    const waitMs = await this.rates.count(rate, caller);
    if (waitMs === 0) return;
    throw new TooManyRequests(
      'Too many links were fetched from your address: wait as long as Retry-After says',
      waitMs / 1000,
    );
  }
}
