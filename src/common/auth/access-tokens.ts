import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';

export const tokenAlgorithm = 'HS256';
export const tokenIssuer = 'store-service';

/** What an access token says: whose it is, and at which version of the account's tokens it was made. */
export interface AccessTokenClaims {
  sub: string;
  ver: number;
}

/** Makes access tokens: JSON Web Tokens (RFC 7519), signed with HMAC-SHA-256. */
@Injectable()
export class AccessTokens {
  constructor(private readonly jwt: JwtService) {}

  issue(userId: string, tokenVersion: number): Promise<string> {
    const claims: AccessTokenClaims = { sub: userId, ver: tokenVersion };
    return this.jwt.signAsync(claims);
  }
}
