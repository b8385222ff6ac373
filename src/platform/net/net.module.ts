import { Module } from '@nestjs/common';
import { Settings, SettingsError } from '../../config/settings.js';
import { parseEgressAllow } from './egress-allow.js';
import { NameResolver } from './name-resolver.js';
import { OutboundHttp } from './outbound-http.js';

function outboundHttp({ egressAllow, dnsServers }: Settings): OutboundHttp {
  try {
    return new OutboundHttp({ allow: parseEgressAllow(egressAllow), resolve: new NameResolver(dnsServers).resolve });
  } catch (error) {
    throw new SettingsError([`EGRESS_ALLOW: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

/** Provides the only way to send HTTP requests, to the public internet and what `EGRESS_ALLOW` lists. */
@Module({
  providers: [{ provide: OutboundHttp, inject: [Settings], useFactory: outboundHttp }],
  exports: [OutboundHttp],
})
export class NetModule {}
