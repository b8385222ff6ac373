import type { Fields } from './report-text.js';
import { type XmlFormat, xmlParts, XmlReportParser } from './xml-report-parser.js';

/** A part of a ZAP report in XML, in document order: the root, a site, or an element in a site's list of alerts. */
export type ZapXmlPart =
  | { kind: 'report'; attributes: Record<string, string> }
  | { kind: 'site'; site: number; attributes: Record<string, string> }
  | { kind: 'alert'; site: number; value: unknown; fault: string | null };

export const zapXmlRoot = 'OWASPZAPReport';
const format: XmlFormat = { root: zapXmlRoot, tool: 'ZAP' };

class ZapXmlParser extends XmlReportParser<ZapXmlPart> {
  private sites = 0;

  constructor() {
    super(format);
  }

  protected opened(name: string, attributes: Record<string, string>): boolean {
    const { path } = this;
    if (path.length === 1) this.parts.push({ kind: 'report', attributes });
    else if (path.length === 2 && name === 'site') this.parts.push({ kind: 'site', site: this.sites++, attributes });
    return path.length === 4 && path[1] === 'site' && path[2] === 'alerts';
  }

  protected built(name: string, value: unknown, fault: string | null): void {
    this.parts.push({ kind: 'alert', site: this.sites - 1, value: name === 'alertitem' ? value : null, fault });
  }
}

/** The parts of a report, as its bytes complete them. Throws `Invalid` for anything but a ZAP report in valid XML. */
export function zapXmlParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<ZapXmlPart[]> {
  return xmlParts(chunks, new ZapXmlParser());
}

/** The attributes of a site as the JSON of the same report has them. */
export function siteFields({ name, host, port, ssl }: Record<string, string>): Fields {
  return { '@name': name, '@host': host, '@port': port, '@ssl': ssl };
}
