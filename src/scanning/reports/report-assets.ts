import { isIP } from 'node:net';
import type { AssetDraft } from '../assets/asset-draft.js';
import type { AssetHostType } from '../vocabulary.js';

/** The web application at an origin. */
export function frontendAt(url: URL): AssetDraft {
  const { origin } = url;
  const tls = url.protocol === 'https:';
  const frontend = { type: 'WEBAPP' as const, url: origin, ips: [], regionCountryCodes: [], tls };
  return { name: origin, type: 'WEBAPP', class: 'FRONTEND', frontend };
}

function typeOfHost(address: string): AssetHostType {
  const version = isIP(address);
  if (version === 0) return 'DNS';
  return version === 4 ? 'IPV4' : 'IPV6';
}

/** A host by its name or address. */
export function hostAt(address: string, ips: string[], ports: number[]): AssetDraft {
  const type = typeOfHost(address);
  const host = {
    type,
    address,
    ips,
    regionCountryCodes: [],
    ports: ports.map((port) => ({ port, protocols: [] })),
    records: [],
  };
  return { name: address, type, class: 'HOST', host };
}

/** The sources of something, by the name of their repository, of their project or of the tool that read them. */
export function codeProject(name: string): AssetDraft {
  return { name, type: 'CODE_PROJECT', class: 'CODE_PROJECT' };
}

/** The URL, where it is one of the web. */
export function webUrlOf(text: string): URL | null {
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) ? new URL(text) : null;
}
