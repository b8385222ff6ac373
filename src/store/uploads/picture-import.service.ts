import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import type { OutboundResponse } from '../../platform/net/outbound-http.js';
import { PictureRefused } from './pictures/picture-refused.js';
import type { Picture } from './pictures/picture.js';
import { Pictures } from './pictures/pictures.js';
import { type Fetch, RemoteContent } from './remote-content.js';
import { UploadsService } from './uploads.service.js';
import type { ImageImportResponse } from './uploads.dto.js';

const accept = 'image/avif,image/webp,image/png,image/jpeg,image/gif,image/*;q=0.8';

/** Imports pictures from elsewhere. */
@Injectable()
export class PictureImportService {
  constructor(
    private readonly remote: RemoteContent,
    private readonly pictures: Pictures,
    private readonly uploads: UploadsService,
  ) {}

  /**
   * Stores the picture at `url` as a general one of the caller's, and returns its details. `Invalid` at `url` for an address
   * that the service may not request, `UpstreamFailed` where no whole response comes from it; throws as an upload does
   * too.
   */
  import(url: string, caller: CallerIdentity): Promise<ImageImportResponse> {
    const location: Fetch['location'] = ['body', 'url'];
    const request = { url, accept, budget: 'picture', caller: caller.id, location } as const;
    return this.remote.get(request, (response) => this.take(url, response, caller.id));
  }

  private async take(url: string, response: OutboundResponse, ownerId: string): Promise<ImageImportResponse> {
    const found = {
      status_code: response.status,
      content_type: response.contentType,
      content_length: response.body.length,
    };
    const picture = await this.pictureOf(response, ownerId);
    if (!picture) return { url, ...found, is_valid_image: false, preview: null };
    const preview = await this.pictures.thumbnail(picture, ownerId);
    const stored = await this.uploads.keep('general', picture, ownerId);
    return { url: stored.url, ...found, is_valid_image: true, preview };
  }

  // Unspecified: the outcome of a refusal from there. It is a response like any other, with its status; only a 2xx
  // counts as a picture, since error pages come as pictures too.
  private async pictureOf({ status, body }: OutboundResponse, ownerId: string): Promise<Picture | null> {
    if (status < 200 || status > 299) return null;
    try {
      return await this.pictures.rewrite(body, ownerId);
    } catch (error) {
      if (error instanceof PictureRefused) return null;
      throw error;
    }
  }
}
