import { describe, expect, it } from '@jest/globals';
import { readWhole } from '../../../support/reports.js';

type Json = Record<string, unknown>;

const alert = (more: Json = {}): Json => ({
  pluginid: '10020',
  alertRef: '10020-1',
  alert: 'Missing Anti-clickjacking Header',
  name: 'Missing Anti-clickjacking Header',
  riskcode: '2',
  confidence: '2',
  riskdesc: 'Medium (Medium)',
  desc: '<p>The response does not protect against &#39;ClickJacking&#39; attacks.</p>',
  instances: [{ uri: 'https://shop.example/login', method: 'GET', param: 'x-frame-options', attack: '', evidence: '' }],
  count: '1',
  solution: '<p>Set the header.</p><p>Then test.</p>',
  otherinfo: '',
  reference: '<p>https://developer.example/x-frame-options</p>',
  cweid: '1021',
  wascid: '15',
  ...more,
});

const site = (alerts: unknown, more: Json = {}): Json => ({
  '@name': 'https://shop.example',
  '@host': 'shop.example',
  '@port': '443',
  '@ssl': 'true',
  alerts,
  ...more,
});

const report = (sites: unknown, more: Json = {}): Json => ({
  '@programName': 'ZAP',
  '@version': '2.15.0',
  '@generated': 'Sat, 21 Nov 2026 12:00:00',
  site: sites,
  ...more,
});

async function only(
  one: Json,
  siteFields: Json = {},
): Promise<Awaited<ReturnType<typeof readWhole>>['findings'][number]> {
  const { findings, skipped } = await readWhole(report([site([one], siteFields)]));
  const [finding] = findings;
  if (!finding) throw new Error(`There is no finding: ${skipped.join()}`);
  return finding;
}

describe('readZapJson', () => {
  it('reads a complete alert', async () => {
    expect(await only(alert())).toEqual({
      detail: expect.stringContaining('WASC-15'),
      ruleDigest: expect.any(String),
      asset: {
        name: 'https://shop.example',
        type: 'WEBAPP',
        class: 'FRONTEND',
        frontend: { type: 'WEBAPP', url: 'https://shop.example', ips: [], regionCountryCodes: [], tls: true },
      },
      name: 'Missing Anti-clickjacking Header',
      severity: 'MEDIUM',
      category: 'CONFIGURATION',
      context:
        "The response does not protect against 'ClickJacking' attacks.\n\nSet the header.\nThen test.\n\n" +
        'https://developer.example/x-frame-options\n\nCWE-1021\n\nGET https://shop.example/login param x-frame-options',
      alertUid: '10020-1',
      securityTestUid: '10020',
      fingerprint: '["10020",{"alertRef":"10020-1"}]',
      formerly: [{ securityTestUid: '10020', fingerprint: '["10020","Missing Anti-clickjacking Header"]' }],
      targets: [{ targetUid: 'https://shop.example/login', webPage: { url: 'https://shop.example/login', visits: 1 } }],
      event: {
        title: 'Missing Anti-clickjacking Header at https://shop.example',
        description:
          "The response does not protect against 'ClickJacking' attacks.\n\nGET https://shop.example/login param x-frame-options",
        attachments: [],
      },
    });
  });

  it.each([
    ['3', 'HIGH'],
    ['2', 'MEDIUM'],
    ['1', 'LOW'],
    ['0', 'INFO'],
    [3, 'HIGH'],
    [0, 'INFO'],
    ['9', 'INFO'],
    ['-1', 'INFO'],
  ])('reads the riskcode %j as %s', async (riskcode, severity) => {
    expect(await only(alert({ riskcode }))).toMatchObject({ severity });
  });

  it.each([
    ['High (Low)', 'HIGH'],
    ['Informational (Medium)', 'INFO'],
    ['', 'INFO'],
  ])('falls back on the riskdesc %j if there is no riskcode', async (riskdesc, severity) => {
    expect(await only(alert({ riskcode: undefined, riskdesc }))).toMatchObject({ severity });
  });

  it.each([
    ['89', 'INJECTION'],
    [352, 'REQUEST_FORGERY'],
    ['0', 'CUSTOM'],
    ['-1', 'CUSTOM'],
    ['', 'CUSTOM'],
    [undefined, 'CUSTOM'],
  ])('reads the cweid %j as %s', async (cweid, category) => {
    expect(await only(alert({ cweid }))).toMatchObject({ category });
  });

  it.each([
    [{ confidence: '0' }, 'FALSE_POSITIVE'],
    [{ confidence: 0 }, 'FALSE_POSITIVE'],
    [{ riskcode: '-1' }, 'FALSE_POSITIVE'],
    [{ riskcode: -1 }, 'FALSE_POSITIVE'],
    [{ confidence: '1' }, undefined],
    [{ confidence: '' }, undefined],
    [{ confidence: undefined }, undefined],
    [{ riskcode: '0' }, undefined],
  ])('reads %j as %s', async (fields, status) => {
    expect((await only(alert(fields))).status).toBe(status);
  });

  it.each([
    ['alerts that are an object', [site(alert())], ['site[0].alerts is not an array']],
    ['alerts that are a text', [site('none')], ['site[0].alerts is not an array']],
    ['no alerts', [site(null), site(undefined)], []],
    ['sites that are none', [5, null, ['x']], ['site[0] is not an object', 'site[2] is not an object']],
  ])('names %s, and reads the other sites', async (_, sites, reasons) => {
    const { findings, skipped } = await readWhole(report([...sites, site([alert()])]));
    expect([findings.length, skipped]).toEqual([1, reasons]);
  });

  it('cuts what is too long or too much, and says which', async () => {
    const instances = Array.from({ length: 50_500 }, (_, at) => ({
      uri: `https://shop.example/${at}`,
      'request-header': 'GET / HTTP/1.1\r\n\r\n',
    }));
    const { findings, cut } = await readWhole(report([site([alert({ desc: 'x'.repeat(9_000), instances }), alert()])]));
    expect(findings.map(({ targets }) => targets.length)).toEqual([50_000, 1]);
    expect(findings[0]?.event.attachments.length).toBe(20);
    expect(cut).toEqual([
      'The desc is cut after 5000 characters; only the first 50 of 50500 instances in words are kept; ' +
        'only the first 20 of 50500 requests and responses are kept; only the first 50000 of 50500 pages are kept',
      null,
    ]);
  });

  it('creates one target for a page, with its instances as visits', async () => {
    const instances = ['a', 'b', 'a'].map((page, at) => ({
      uri: `https://shop.example/${page}`,
      method: 'GET',
      param: `p${at}`,
    }));
    expect((await only(alert({ instances }))).targets).toEqual([
      { targetUid: 'https://shop.example/a', webPage: { url: 'https://shop.example/a', visits: 2 } },
      { targetUid: 'https://shop.example/b', webPage: { url: 'https://shop.example/b', visits: 1 } },
    ]);
  });

  it.each([
    ['no instances', { instances: undefined }, []],
    ['an empty list of them', { instances: [] }, []],
    ['one that is no list', { instances: { uri: 'https://shop.example/a' } }, ['https://shop.example/a']],
    [
      'the page in the alert itself',
      { instances: undefined, uri: 'https://shop.example/old' },
      ['https://shop.example/old'],
    ],
  ])('reads an alert with %s', async (_, change, targets) => {
    expect((await only(alert(change))).targets.map(({ targetUid }) => targetUid)).toEqual(targets);
  });

  it('keeps requests and responses if the report has them', async () => {
    const instance = {
      uri: 'https://shop.example/login',
      method: 'POST',
      'request-header':
        'POST https://shop.example/login HTTP/1.1\r\nHost: shop.example\r\nCookie: a=1\r\nCookie: b=2\r\n\r\n',
      'request-body': 'name=ada',
      'response-header': 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n',
      'response-body': '<h1>Hi</h1>',
    };
    expect((await only(alert({ instances: [instance, { uri: 'https://shop.example/' }] }))).event.attachments).toEqual([
      {
        type: 'EXCHANGE',
        exchange: {
          request: {
            method: 'POST',
            url: 'https://shop.example/login',
            headers: { Host: 'shop.example', Cookie: 'a=1, b=2' },
            body: 'name=ada',
          },
          response: { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>Hi</h1>' },
        },
      },
    ]);
  });

  it('reads the same alert of several sites as findings of each', async () => {
    const { findings } = await readWhole(
      report([site([alert()]), site([alert()], { '@name': 'http://other.example:81' })]),
    );
    expect(findings.map(({ asset }) => asset.name)).toEqual(['https://shop.example', 'http://other.example:81']);
    expect(findings[0]?.fingerprint).toBe(findings[1]?.fingerprint);
  });

  it('reads a single site outside a list, even when its name follows its alerts', async () => {
    const { '@name': name, ...rest } = site([alert()]);
    const { findings } = await readWhole(report({ ...rest, '@name': name }));
    expect(findings.map(({ asset }) => asset.name)).toEqual(['https://shop.example']);
  });

  it.each([
    ['host, port and ssl', { '@name': undefined, '@port': '8443' }, 'https://shop.example:8443'],
    ['numbers and booleans', { '@name': undefined, '@port': 80, '@ssl': false }, 'http://shop.example'],
    ['the first page', { '@name': undefined, '@host': undefined }, 'https://shop.example'],
  ])('identifies a site without a name by %s', async (_, fields, name) => {
    expect((await only(alert(), fields)).asset.name).toBe(name);
  });

  it('skips entries that are not alerts, with a reason', async () => {
    const alerts = [alert(), {}, 5, null, { pluginid: '1' }];
    const { findings, skipped } = await readWhole(
      report([site(alerts), site([alert({ instances: [] })], { '@name': '', '@host': '' })]),
    );
    expect(findings.map(({ name }) => name)).toEqual(['Missing Anti-clickjacking Header', 'ZAP alert 1']);
    expect(skipped).toEqual([
      'The alert has neither a pluginid nor a name',
      'The alert is not an object',
      'The alert is not an object',
      'The site of the alert has no URL as its name: name its asset with the query parameter asset',
    ]);
  });

  it.each([
    ['ZAP', report([site([])])],
    ['no sites', report([])],
    ['an older ZAP, which does not sign', report([site([])], { '@programName': undefined })],
  ])('reads a report of %s that found nothing', async (_, empty) => {
    expect(await readWhole(empty)).toMatchObject({ format: 'zap-json', findings: [], skipped: [], tool: 'ZAP' });
  });

  it('reads an older report, unsigned and with numbers', async () => {
    const old = {
      '@version': 'D-2017-03-10',
      '@generated': 'x',
      site: site([alert({ pluginid: 10020, riskcode: 1, alertRef: undefined })]),
    };
    expect((await readWhole(old)).findings).toMatchObject([{ severity: 'LOW', securityTestUid: '10020' }]);
  });

  it.each([
    ['a site without alerts', { site: [{ name: 'https://shop.example', pages: 5 }] }],
    ['alerts of another kind', { site: [{ '@name': 'https://shop.example', alerts: [{ id: 1, level: 'high' }] }] }],
    ['a marked site without alerts', { '@version': '1', '@generated': 'x', site: [{ '@name': 'x' }] }],
    ['an empty site', { site: {} }],
    ['no sites, and no marks', { site: [] }],
  ])('refuses similar documents: %s', async (_, other) => {
    await expect(readWhole(other)).rejects.toThrow('This is not a ZAP report: its sites have no alerts of ZAP');
    await expect(readWhole(other, { format: 'zap-json' })).rejects.toThrow('This is not a ZAP report');
  });

  it('refuses a report of another format than the named one', async () => {
    await expect(readWhole({ version: '2.1.0', runs: [] }, { format: 'zap-json' })).rejects.toThrow('it has no site');
    await expect(readWhole(report([]), { format: 'sarif' })).rejects.toThrow('it has no array of runs');
  });
});
