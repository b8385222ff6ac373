import { HttpModule } from '@nestjs/axios';
import { Module } from '@nestjs/common';
import { Settings, SettingsError } from '../../config/settings.js';
import { AxiosExchange, exchangeOptions } from './axios-exchange.js';
import { parseEgressAllow } from './egress-allow.js';
import { EgressProxy, parseEgressProxy, proxiedAgents } from './egress-proxy.js';
import { Egress } from './host-approval.js';
import { NameResolver } from './name-resolver.js';
import { OutboundHttp } from './outbound-http.js';

function egressOf({ egressAllow, dnsServers }: Settings): Egress {
  try {
    return new Egress(parseEgressAllow(egressAllow), new NameResolver(dnsServers).resolve);
  } catch (error) {
    throw new SettingsError([`EGRESS_ALLOW: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function proxyOf({ egressProxy }: Settings, egress: Egress): EgressProxy | null {
  if (egressProxy === undefined) return null;
  try {
    return new EgressProxy(parseEgressProxy(egressProxy), egress);
  } catch (error) {
    throw new SettingsError([`EGRESS_PROXY: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

@Module({ providers: [{ provide: Egress, inject: [Settings], useFactory: egressOf }], exports: [Egress] })
class EgressModule {}

/** Provides the only way to send HTTP requests, to the public internet and what `EGRESS_ALLOW` lists. */
@Module({
  imports: [
    EgressModule,
    HttpModule.registerAsync({
      imports: [EgressModule],
      inject: [Settings, Egress],
      useFactory: (settings: Settings, egress: Egress) => {
        const proxy = proxyOf(settings, egress);
        return { ...exchangeOptions(egress), ...(proxy && proxiedAgents(proxy)) };
      },
    }),
  ],
  providers: [AxiosExchange, OutboundHttp],
  exports: [OutboundHttp],
})
export class NetModule {}
