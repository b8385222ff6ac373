import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';

export const tokenAlgorithm = 'HS256';
export const tokenIssuer = 'store-service';

/** The account of an access token, and the version of the account's tokens at which it was issued. */
export interface AccessTokenClaims {
  sub: string;
  ver: number;
}

/** Issues access tokens: JSON Web Tokens (RFC 7519), signed with HMAC-SHA-256. */
@Injectable()
export class AccessTokens {
  constructor(private readonly jwt: JwtService) {}

  issue(userId: string, tokenVersion: number): Promise<string> {
    const claims: AccessTokenClaims = { sub: userId, ver: tokenVersion };
    return this.jwt.signAsync(claims);
  }
}
