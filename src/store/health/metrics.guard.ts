import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { bearerTokenOf } from '../../common/auth/bearer-tokens.js';
import { sameText } from '../../common/crypto/digests.js';
import { Forbidden, Unauthenticated } from '../../common/errors/kinds.js';
import { isLoopback } from '../../common/net/caller-address.js';
import { Settings } from '../../config/settings.js';

/** Opens the metrics to this machine, and to callers elsewhere who send METRICS_TOKEN as a bearer token. */
@Injectable()
export class MetricsGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (isLoopback(request.ip ?? '')) return true;
    const { metricsToken } = this.settings;
    if (metricsToken === undefined) {
      throw new Forbidden('Metrics are read on this machine alone: set METRICS_TOKEN to read them elsewhere');
    }
    if (sameText(bearerTokenOf(request) ?? '', metricsToken)) return true;
    throw new Unauthenticated('Send METRICS_TOKEN as "Authorization: Bearer <token>"');
  }
}
