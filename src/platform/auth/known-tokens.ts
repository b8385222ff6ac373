import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { TokenSubject } from './caller.js';

/** The content of a verified token. */
export interface KnownToken extends TokenSubject {
  /** In seconds since 1970, as in the token. */
  expiresAt: number;
}

const most = 10_000;

/**
 * Tokens whose signature was verified, by the `Authorization` header that carried them: a signature stays valid until the
 * token expires. Whether the token was revoked is checked elsewhere.
 */
@Injectable()
export class KnownTokens {
  private readonly known = new LRUCache<string, KnownToken>({ max: most });

  /** The header's token; undefined if it was not verified before or has expired. */
  find(header: string): KnownToken | undefined {
    const token = this.known.get(header);
    return token && token.expiresAt > Date.now() / 1000 ? token : undefined;
  }

  /** Keeps a verified token. */
  keep(header: string, token: KnownToken): void {
    this.known.set(header, token);
  }
}
