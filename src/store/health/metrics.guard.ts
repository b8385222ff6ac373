import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { bearerTokenOf } from '../../platform/auth/bearer-tokens.js';
import { sameText } from '../../platform/crypto/digests.js';
import { Forbidden, Unauthenticated } from '../../platform/errors/errors.js';
import { isLoopback } from '../../platform/net/caller-address.js';
import { Settings } from '../../config/settings.js';

/**
 * Opens the metrics to callers who send METRICS_TOKEN as a bearer token and, in development, to this machine. In production no
 * caller counts as this machine, since a proxy on it would let everybody in.
 */
@Injectable()
export class MetricsGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { metricsToken, production } = this.settings;
    if (isLoopback(request.ip ?? '')) return true;
    if (metricsToken === undefined) {
      const where = production ? 'Metrics can be read' : 'From other machines, metrics can be read';
      throw new Forbidden(`${where} only with METRICS_TOKEN, which is not set: set it, and send it as a bearer token`);
    }
    if (sameText(bearerTokenOf(request) ?? '', metricsToken)) return true;
    throw new Unauthenticated('Send METRICS_TOKEN as "Authorization: Bearer <token>"');
  }
}
