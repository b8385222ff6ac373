import type { IdentifierType } from './issue-detail.dto.js';

const linkOf: Record<IdentifierType, (value: string) => string | null> = {
  CWE: (value) => `https://cwe.mitre.org/data/definitions/${value.replace(/\D/g, '')}.html`,
  CVE: (value) => `https://nvd.nist.gov/vuln/detail/${value}`,
  GHSA: (value) => `https://github.com/advisories/${value}`,
  WASC: () => null,
  CPE: () => null,
};

/** Where an identifier is explained; null where it is not known. */
export function identifierUrl(type: IdentifierType, value: string): string | null {
  return linkOf[type](value);
}

/** An identifier in the spelling in which issues have it: a CPE as its report wrote it. */
export function asKept(identifier: string): string {
  const [, type = '', rest = ''] = /^(CVE|CWE|WASC|GHSA)-(.*)$/is.exec(identifier.trim()) ?? [];
  switch (type.toUpperCase()) {
    case '':
      return identifier;
    case 'GHSA':
      return `GHSA-${rest.toLowerCase()}`;
    case 'CVE':
      return `CVE-${rest}`;
    default:
      return `${type.toUpperCase()}-${rest.replace(/^0+(?=\d)/, '')}`;
  }
}
