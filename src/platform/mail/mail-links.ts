import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { localUrl } from '../http/local-url.js';
import { Settings } from '../../config/settings.js';
import { isStorefrontBuilt } from '../storefront/storefront-build.js';

/** Makes the links in mails. */
@Injectable()
export class MailLinks {
  constructor(
    private readonly settings: Settings,
    private readonly host: HttpAdapterHost,
  ) {}

  /** A link to a path of this service. */
  to(path: string, query: Record<string, string> = {}): string {
    return withQuery(`${this.base()}${path}`, query);
  }

  /** A link to one of the pages about accounts: the shop's (ACCOUNT_PAGES_URL), the shop front's, or else the service's own. */
  accountPage(page: string, query: Record<string, string> = {}): string {
    const pages = this.settings.mail.accountPagesUrl ?? this.storefront() ?? `${this.base()}/account`;
    return withQuery(`${pages}/${page}`, query);
  }

  /** A link to the page of an order in the shop front; null where there is no shop front. */
  order(id: number): string | null {
    const storefront = this.storefront();
    return storefront === null ? null : `${storefront}/orders/${id}`;
  }

  /** A link to the page where invitations are answered: the shop's own, or else one on which operations can be called. */
  invitations(): string {
    if (this.settings.mail.accountPagesUrl) return this.accountPage('invitations');
    return this.to(this.settings.docs ? '/docs' : '/console/');
  }

  /** The address of the shop front: on a machine of its own (STOREFRONT_URL), or at this service. Null where there is none. */
  private storefront(): string | null {
    const { storefrontUrl, storefront } = this.settings;
    return storefrontUrl ?? (storefront && isStorefrontBuilt() ? this.base() : null);
  }

  private base(): string {
    const { publicUrl, host, port } = this.settings;
    if (publicUrl !== undefined) return publicUrl;
    const listening = (this.host.httpAdapter.getHttpServer() as Server).address();
    return localUrl(host, listening !== null && typeof listening === 'object' ? listening.port : port);
  }
}

function withQuery(url: string, query: Record<string, string>): string {
  const search = new URLSearchParams(query).toString();
  return search === '' ? url : `${url}?${search}`;
}
