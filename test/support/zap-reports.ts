function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

function elements(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, value]) => element(name, escaped(value)))
    .join('');
}

/** A ZAP alert in XML. */
export function zapXmlAlert(
  fields: Record<string, string> = {},
  instances: Record<string, string>[] = [{ uri: 'https://shop.example/login', method: 'GET' }],
): string {
  const own = { pluginid: '10020', name: 'Alert', riskcode: '2', confidence: '2', desc: '<p>d</p>', ...fields };
  const places = instances.map((instance) => element('instance', elements(instance))).join('\n');
  return element('alertitem', `\n  ${elements(own)}\n  ${element('instances', places)}\n`);
}

/** A site with its alerts. */
export function zapXmlSite(alerts: string[], name = 'https://shop.example'): string {
  return `<site name="${escaped(name)}" host="" port="" ssl="">${element('alerts', alerts.join('\n'))}</site>`;
}

const prolog = '<?xml version="1.0"?>\n';

/** A ZAP report in XML. */
export function zapXml(sites: string[], before = prolog): string {
  const root = '<OWASPZAPReport programName="ZAP" version="2.15.0" generated="Sun, 22 Nov 2026 04:00:00">';
  return `${before}${root}\n${sites.join('\n')}</OWASPZAPReport>\n`;
}
