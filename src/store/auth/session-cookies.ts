import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Forbidden } from '../../platform/errors/errors.js';
import { Settings } from '../../config/settings.js';

const cookieName = 'store_refresh';
/** The least that plain HTTP allows; a cookie of `__Host-` is of the whole host. */
const loginRoutes = '/api/v1/auth';

function originOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).origin;
}

/**
 * The refresh token of a browser session, in a cookie that no script can read.
 *
 * `SameSite=Strict` still lets pages of subdomains and other ports send it, so a request by cookie must also come from a
 * page of this very origin, by `Sec-Fetch-Site` (Fetch Metadata) or, where the browser sends none, by `Origin`; without
 * either it is refused. No answer ever allows credentials to other origins (CORS).
 */
@Injectable()
export class SessionCookies {
  private readonly publicOrigin: string | undefined;

  constructor({ publicUrl }: Settings) {
    this.publicOrigin = originOf(publicUrl);
  }

  /** Whether a page of this origin sent the request. */
  isOwn(request: Request): boolean {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (site !== undefined) return site === 'same-origin';
    if (origin === undefined) return false;
    return origin === this.publicOrigin || origin === `${request.protocol}://${request.headers.host ?? ''}`;
  }

  /** Throws `Forbidden` unless a page of this origin sent the request. */
  assertOwn(request: Request): void {
    if (this.isOwn(request)) return;
    throw new Forbidden(
      'The session cookie works only for pages of this origin: from elsewhere, send the refresh_token in the body. ' +
        'Behind a proxy, the operator has to set PUBLIC_URL',
      'foreign_origin',
    );
  }

  /**
   * The token in the request's cookie. A second cookie of the name can only come from another host of the domain: then
   * neither counts.
   */
  read(request: Request): string | undefined {
    const start = `${this.nameFor(request)}=`;
    const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const [token, ...others] = pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
    return others.length === 0 ? token : undefined;
  }

  set(response: Response, token: string, seconds: number): void {
    response.cookie(this.nameFor(response.req), token, { ...this.choices(response.req), maxAge: seconds * 1_000 });
  }

  clear(response: Response): void {
    response.clearCookie(this.nameFor(response.req), this.choices(response.req));
  }

  /**
   * Browsers take a cookie whose name begins with `__Host-` from this very host alone, over HTTPS (RFC 6265bis, 4.1.3.2), so that
   * no subdomain can plant one. Over plain HTTP, in development, not all of them take it.
   */
  private nameFor(request: Request): string {
    return this.isSecure(request) ? `__Host-${cookieName}` : cookieName;
  }

  private choices(request: Request) {
    const secure = this.isSecure(request);
    return { path: secure ? '/' : loginRoutes, httpOnly: true, sameSite: 'strict', secure } as const;
  }

  private isSecure(request: Request): boolean {
    return request.secure || (this.publicOrigin?.startsWith('https:') ?? false);
  }
}
