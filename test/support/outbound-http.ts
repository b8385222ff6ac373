import { HttpService } from '@nestjs/axios';
import { create } from 'axios';
import { AxiosExchange, exchangeOptions } from '../../src/platform/net/axios-exchange.js';
import { parseEgressAllow } from '../../src/platform/net/egress-allow.js';
import { Egress, type ResolveHost } from '../../src/platform/net/host-approval.js';
import { OutboundHttp } from '../../src/platform/net/outbound-http.js';

/** The outbound client with rules of a test's own. The authorities are PEM certificates to trust in place of Node's own. */
export function outboundHttp(allow: string, resolve: ResolveHost, certificateAuthorities?: string[]): OutboundHttp {
  const egress = new Egress(parseEgressAllow(allow), resolve);
  const http = new HttpService(create(exchangeOptions(egress, certificateAuthorities)));
  return new OutboundHttp(egress, new AxiosExchange(http));
}
