import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Request } from 'express';
import { tokenAlgorithm, tokenIssuer } from './access-tokens.js';
import { bearerTokenOf, tokenRefusal } from './bearer-tokens.js';
import { CallerDirectory, type CallerIdentity } from './caller.js';
import { type Claims, knownTokenOf } from './jwt.strategy.js';

/** Finds the caller of a request on routes that take a token and do not require one. */
@Injectable()
export class BearerCallers {
  constructor(
    private readonly jwt: JwtService,
    private readonly callers: CallerDirectory,
  ) {}

  /** The caller by the bearer token; `Unauthenticated` without a valid one. */
  async of(request: Request): Promise<CallerIdentity> {
    const claims = await this.claimsOf(request);
    const token = knownTokenOf(claims);
    const caller = token && (await this.callers.find(token));
    if (!caller) throw tokenRefusal(request, undefined);
    return caller;
  }

  private async claimsOf(request: Request): Promise<Claims> {
    const token = bearerTokenOf(request) ?? '';
    try {
      return await this.jwt.verifyAsync<Claims>(token, { algorithms: [tokenAlgorithm], issuer: tokenIssuer });
    } catch (error) {
      throw tokenRefusal(request, error);
    }
  }
}
