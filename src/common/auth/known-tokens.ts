import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** What a token says that was found to be good. */
export interface KnownToken {
  userId: string;
  tokenVersion: number;
  /** In seconds since 1970, as in the token. */
  expiresAt: number;
}

const most = 10_000;

/**
 * Tokens whose signature was checked already, by the `Authorization` header that carried them: a signature stays good
 * until the token's time is over. Whether the account still honours it is not known here.
 */
@Injectable()
export class KnownTokens {
  private readonly known = new LRUCache<string, KnownToken>({ max: most });

  /** What the header's token says; undefined where it was not met before or is over. */
  find(header: string): KnownToken | undefined {
    const token = this.known.get(header);
    return token && token.expiresAt > Date.now() / 1000 ? token : undefined;
  }

  /** Keeps what a good token says. */
  keep(header: string, token: KnownToken): void {
    this.known.set(header, token);
  }
}
