import { isIP } from 'node:net';
import type { AssetDraft } from '../assets/asset-draft.js';
import type { AssetHostType, AssetType } from '../vocabulary.js';
import { identifierOf } from './report-text.js';
import { parseUrl } from '../../config/parse-url.js';

/** The longest name or address of an asset; a longer one ends in its digest. */
const maxAddress = 500;

/** `example.com.` is `example.com`: the final dot marks an absolute name (RFC 1034, section 3.1). */
function withoutRootDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

/** The web application at an origin. */
export function frontendAt(url: URL, ips: string[] = []): AssetDraft {
  const port = url.port === '' ? '' : `:${url.port}`;
  const origin = identifierOf(`${url.protocol}//${withoutRootDot(url.hostname)}${port}`, maxAddress);
  const tls = url.protocol === 'https:';
  const frontend = { type: 'WEBAPP' as const, url: origin, ips, regionCountryCodes: [], tls };
  return { name: origin, type: 'WEBAPP', class: 'FRONTEND', frontend };
}

function typeOfHost(address: string): AssetHostType {
  const version = isIP(address);
  if (version === 0) return 'DNS';
  return version === 4 ? 'IPV4' : 'IPV6';
}

/** A host by its name or address. */
export function hostAt(given: string, ips: string[], ports: number[]): AssetDraft {
  const address = identifierOf(withoutRootDot(given), maxAddress);
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

/** A code project, by the name of its repository or project. */
export function codeProject(name: string): AssetDraft {
  return { name: identifierOf(name, maxAddress), type: 'CODE_PROJECT', class: 'CODE_PROJECT' };
}

// Unspecified: the type of a cloud resource. It is the only general one.
const typeOfResource = (name: string): AssetType => (/^arn:[^:]*:lambda:/i.test(name) ? 'AWS_LAMBDA' : 'SOFTWARE');

/** A cloud resource, by its name there, such as an ARN. */
export function cloudResource(given: string): AssetDraft {
  const name = identifierOf(given, maxAddress);
  return { name, type: typeOfResource(name), class: 'CLOUD_COMPONENT' };
}

/** Whether the text names a cloud resource: an ARN, or an id of Azure. */
export function isCloudResource(text: string): boolean {
  return /^arn:[a-z-]{3,20}:[a-z\d-]{2,40}:/i.test(text) || /^\/subscriptions\/[\da-f-]{36}(?:\/|$)/i.test(text);
}

/** Parses a web URL; null for anything else. */
export function webUrlOf(text: string): URL | null {
  return /^https?:\/\/[^/]/i.test(text) ? parseUrl(text) : null;
}

/** `user@host:path`, as Git accepts it; a drive letter is no host. */
const scpLike = /^(?:[\w.-]{1,100}@)?([a-z\d][a-z\d.-]{1,252}):(?!\/\/)([^\s:][^\s]*)$/i;
const gitUrl = /^(?:git\+)?(?:ssh|git|https?):\/\/(?:[^/?#@]*@)*([^/?#@]+)(\/[^#]*)?/i;

/**
 * The name of a repository: the same for all addresses of it, without user and scheme.
 */
export function repositoryName(given: string): string {
  const [, authority = '', path = ''] = gitUrl.exec(given) ?? [];
  const [, host = '', rest = ''] = authority === '' && !/^[a-z]:[\\/]/i.test(given) ? (scpLike.exec(given) ?? []) : [];
  if (authority === '' && host === '') return given;
  const isSsh = /^(?:git\+)?ssh:/i.test(given);
  const where = host || (isSsh ? authority.replace(/:\d+$/, '') : authority);
  const what = (path || `/${rest}`).replace(/^\/+/, '').replace(/\.git\/?$|\/$/i, '');
  return `https://${where.toLowerCase()}${what === '' ? '' : `/${what}`}`;
}

/** `acme/shop` of `acme/shop:1.2@sha256:…`: the image is the same in every version. */
export function imageName(given: string): string {
  const [name = ''] = given.split('@', 1);
  const colon = name.lastIndexOf(':');
  return colon > name.lastIndexOf('/') && colon > 0 ? name.slice(0, colon) : name;
}

/** A container image, by its name without tag and digest. */
export function containerImage(given: string): AssetDraft {
  return cloudResource(imageName(given));
}
