import { describe, expect, it } from '@jest/globals';
import type { ReportFinding } from '../../../../src/scanning/reports/report-finding.js';
import { nucleiFinding, reportOf } from '../../../support/nuclei-reports.js';
import { onlyFinding, readWhole } from '../../../support/reports.js';

type Json = Record<string, unknown>;

async function only(more: Json): Promise<ReportFinding> {
  return onlyFinding(reportOf(nucleiFinding(more)));
}

describe('readNucleiJsonl: places', () => {
  /** The fields of a line with only these places. */
  const at = (places: Json): Json => ({ host: undefined, 'matched-at': undefined, ip: undefined, ...places });

  it.each([
    ['a URL', { url: 'http://shop.example:8080/x' }, 'FRONTEND', 'http://shop.example:8080'],
    ['a URL, before all others', { url: 'https://a.example/x', host: 'b.example' }, 'FRONTEND', 'https://a.example'],
    [
      'where it matched, before the host',
      { 'matched-at': 'https://a.example/x', host: 'b.example' },
      'FRONTEND',
      'https://a.example',
    ],
    [
      'what can be read, after what cannot',
      { url: '/http://dvwa_dvwa_1/', 'matched-at': 'http://dvwa_dvwa_1/x' },
      'FRONTEND',
      'http://dvwa_dvwa_1',
    ],
    [
      'the host, after two that cannot be read',
      { url: '/x', 'matched-at': 'a b', host: 'a.example' },
      'HOST',
      'a.example',
    ],
    ['the ip, after all others', { url: ':', 'matched-at': '//', host: '[x]', ip: '192.0.2.7' }, 'HOST', '192.0.2.7'],
    [
      'a bare host with a URL',
      { host: 'shop.example', url: 'https://shop.example' },
      'FRONTEND',
      'https://shop.example',
    ],
    ['a name', { host: 'Shop.example' }, 'HOST', 'shop.example'],
    ['a name with its last dot', { host: 'shop.example.' }, 'HOST', 'shop.example'],
    ['a name with its last dot and a port', { host: 'shop.example.:53' }, 'HOST', 'shop.example'],
    ['a URL with the last dot', { url: 'https://shop.example./x' }, 'FRONTEND', 'https://shop.example'],
    ['a name and port', { host: 'shop.example:22' }, 'HOST', 'shop.example'],
    ['a name of letters beyond ASCII', { host: 'böse.example' }, 'HOST', 'böse.example'],
    ['an address', { host: '192.0.2.7' }, 'HOST', '192.0.2.7'],
    ['a v6 address', { host: '2001:DB8::1' }, 'HOST', '2001:db8::1'],
    ['a v6 address and port', { host: '[2001:db8::1]:443' }, 'HOST', '2001:db8::1'],
    ['another scheme', { host: 'ssh://shop.example:22' }, 'HOST', 'shop.example'],
    ['the older name of where it matched', { matched: 'shop.example:21' }, 'HOST', 'shop.example'],
    ['an ARN', { 'matched-at': 'arn:aws:s3:::acme-backup' }, 'CLOUD_COMPONENT', 'arn:aws:s3:::acme-backup'],
    [
      'an id of Azure',
      { host: '/subscriptions/0b1f6471-1bf0-4dda-aec3-cb9272f09590/resourceGroups/shop' },
      'CLOUD_COMPONENT',
      '/subscriptions/0b1f6471-1bf0-4dda-aec3-cb9272f09590/resourceGroups/shop',
    ],
    ['a file', { type: 'file', host: '/srv/shop', 'matched-at': '/srv/shop/.env' }, 'CODE_PROJECT', '/srv/shop/.env'],
    ['a file on a drive', { type: 'file', 'matched-at': 'C:\\shop\\.env' }, 'CODE_PROJECT', 'C:/shop/.env'],
    ['a file by its URL', { type: 'file', 'matched-at': 'file:///srv/.env' }, 'CODE_PROJECT', '/srv/.env'],
  ])('finds the asset by %s', async (_, places, assetClass, name) => {
    expect((await only(at(places))).asset).toMatchObject({ class: assetClass, name });
  });

  it('recognizes a function of AWS by its ARN', async () => {
    const { asset } = await only(at({ host: 'arn:aws:lambda:eu-west-1:123456789012:function:pay' }));
    expect(asset).toMatchObject({ type: 'AWS_LAMBDA', class: 'CLOUD_COMPONENT' });
  });

  it.each([
    ['no place', {}],
    ['places that cannot be read', { url: '/x', 'matched-at': 'a b', host: '-', ip: '@' }],
    ['a file at a relative path', { type: 'file', host: '.', 'matched-at': 'src/.env' }],
  ])('skips a line with %s, and says how to name the asset', async (_, places) => {
    const { skipped } = await readWhole(reportOf(nucleiFinding(at(places))));
    expect(skipped).toEqual([expect.stringContaining('query parameter asset')]);
  });

  it('uses the asset named by the caller for all lines', async () => {
    const asset = { name: 'shop', type: 'WEBAPP', class: 'FRONTEND' } as const;
    const text = reportOf(nucleiFinding(at({})), nucleiFinding(), nucleiFinding(at({ type: 'file', host: '.' })));
    expect((await readWhole(text, { asset })).findings.map((finding) => finding.asset)).toEqual([asset, asset, asset]);
  });

  it('keeps the port and address of a host', async () => {
    const { asset } = await only(at({ host: 'shop.example:22', ip: '192.0.2.7' }));
    expect(asset.host).toMatchObject({
      address: 'shop.example',
      ips: ['192.0.2.7'],
      ports: [{ port: 22, protocols: [] }],
    });
    const { asset: other } = await only(at({ host: 'shop.example', port: '443' }));
    expect(other.host?.ports).toEqual([{ port: 443, protocols: [] }]);
    expect((await only(at({ host: 'shop.example', port: '99999' }))).asset.host?.ports).toEqual([]);
  });
});
