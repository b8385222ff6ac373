import { describe, expect, it } from '@jest/globals';
import { Invalid } from '../../../../src/platform/errors/invalid.js';
import { readWhole } from '../../../support/reports.js';
import { zapXmlAlert as alert, zapXml as report, zapXmlSite as site } from '../../../support/zap-reports.js';

type Whole = Awaited<ReturnType<typeof readWhole>>;

async function only(xml: string): Promise<Whole['findings'][number]> {
  const { findings, skipped } = await readWhole(xml);
  const [finding] = findings;
  if (!finding) throw new Error(`There is no finding: ${skipped.join()}`);
  return finding;
}

describe('readZapXml', () => {
  it('reads an alert like the same alert in JSON', async () => {
    const instance = { uri: 'https://shop.example/login?a=1&b=<2>', method: 'GET', param: 'x', evidence: '<b>&' };
    const fields = {
      pluginid: '10020',
      alertRef: '10020-1',
      name: 'Missing <iframe> & more',
      riskcode: '2',
      confidence: '2',
      desc: '<p>It is &quot;open&quot;.</p><p>Truly.</p>',
      solution: '<p>Close it.</p>',
      reference: '<p>https://developer.example/?a=1&amp;b=2</p>',
      cweid: '1021',
    };
    const xml = await only(report([site([alert(fields, [instance])])]));
    const json = await readWhole({
      '@programName': 'ZAP',
      site: [
        {
          '@name': 'https://shop.example',
          alerts: [{ ...fields, name: 'Missing &lt;iframe&gt; &amp; more', instances: [instance] }],
        },
      ],
    });
    const [same] = json.findings;
    expect({ ...xml, detail: JSON.parse(xml.detail ?? '') as object }).toEqual({
      ...same,
      detail: JSON.parse(same?.detail ?? '') as object,
    });
    expect(xml).toMatchObject({ name: 'Missing <iframe> & more', severity: 'MEDIUM', category: 'CONFIGURATION' });
  });

  it('keeps tags in the texts of "plus", which are not HTML', async () => {
    const { context } = await only(report([site([alert({ desc: 'An <iframe> may & will hold it.' })])]));
    expect(context).toContain('An <iframe> may & will hold it.');
  });

  it('keeps requests and responses of "plus"', async () => {
    const instances = [
      {
        uri: 'https://shop.example/login',
        requestheader: 'POST https://shop.example/login HTTP/1.1\nHost: shop.example\n\n',
        requestbody: 'name=<ada>&x=1',
        responseheader: 'HTTP/1.1 200 OK\nContent-Type: text/html\n\n',
        responsebody: '<h1>Hi</h1>',
      },
    ];
    expect((await only(report([site([alert({}, instances)])]))).event.attachments).toMatchObject([
      {
        exchange: {
          request: { method: 'POST', url: 'https://shop.example/login', body: 'name=<ada>&x=1' },
          response: { status: 200, body: '<h1>Hi</h1>' },
        },
      },
    ]);
  });

  it('reads several sites, in pieces of any length', async () => {
    const xml = report([site([alert(), alert({ pluginid: '2' })]), site([alert()], 'http://other.example:81')]);
    for (const pieceBytes of [1, 2, 7, 64 * 1024]) {
      const { findings, format } = await readWhole(xml, { pieceBytes });
      expect([format, findings.map(({ asset }) => asset.name)]).toEqual([
        'zap-xml',
        ['https://shop.example', 'https://shop.example', 'http://other.example:81'],
      ]);
    }
  });

  it.each([
    ['an older version, which does not sign', '<OWASPZAPReport version="2.7.0" generated="x">', 'ZAP'],
    ['another program', '<OWASPZAPReport programName="Checkmarx ZAP" version="3">', 'Checkmarx ZAP'],
  ])('finds the tool of %s', async (_, root, tool) => {
    expect((await readWhole(`${root}${site([alert()])}</OWASPZAPReport>`)).tool).toBe(tool);
  });

  it('reads CDATA, comments, character references, UTF-8 and a byte order mark', async () => {
    const text = '<!-- a --><pluginid>1</pluginid><name><![CDATA[<a> & b]]>&#x263a;&#9731;&apos;é</name><?pi x?>';
    const xml = `\ufeff<?xml version="1.0" encoding="UTF-8"?>\n${report([site([`<alertitem>${text}</alertitem>`])], '')}`;
    expect((await only(xml)).name).toBe("<a> & b☺☃'é");
    expect((await readWhole(Buffer.from(`\ufeff${xml.slice(1)}`, 'utf16le'))).findings.length).toBe(1);
  });

  it('reads characters outside XML, as servers send them', async () => {
    expect((await only(report([site([alert({ name: 'a\u0000\u0008b\uffffc' })])]))).name).toBe('a\ufffd\ufffdb\ufffdc');
  });

  it.each([
    ['confidence', '0'],
    ['riskcode', '-1'],
  ])('reads the %s %s as a false positive', async (field, value) => {
    expect((await only(report([site([alert({ [field]: value })])]))).status).toBe('FALSE_POSITIVE');
  });

  it('reads a report that found nothing', async () => {
    expect(await readWhole(report([site([])]))).toMatchObject({ findings: [], skipped: [], tool: 'ZAP' });
    expect(await readWhole(report([]))).toMatchObject({ findings: [], skipped: [] });
  });

  it('skips only what is not an alert, with a reason', async () => {
    const deep = `<alertitem>${'<a>'.repeat(70)}${'</a>'.repeat(70)}</alertitem>`;
    const { findings, skipped } = await readWhole(
      report([
        site([
          alert(),
          '<alertitem/>',
          '<other>x</other>',
          '<alertitem>text</alertitem>',
          deep,
          alert({ pluginid: '2' }),
        ]),
        site([alert()], ''),
      ]),
    );
    expect(findings.length).toBe(3);
    expect(skipped).toEqual([
      'The alert is not an object',
      'The alert is not an object',
      'The alert is not an object',
      'The alert is nested deeper than 64 levels',
    ]);
  });

  it('skips an alert that is too large, and no other', async () => {
    const many = `<alertitem>${'<a>1</a>'.repeat(200_001)}</alertitem>`;
    const long = alert({ desc: 'x'.repeat(17 * 2 ** 20) });
    const { findings, skipped } = await readWhole(report([site([many, alert(), long, alert()])]));
    expect([findings.length, skipped]).toEqual([2, ['The alert is too large', 'The alert is too large']]);
  });

  const whole = report([site([alert()])]).trim();

  it.each([
    ['another root', '<NmapRun/>', 'its root is NmapRun, and should be OWASPZAPReport'],
    ['no XML', 'hello', 'not valid XML'],
    ['what ends too early', whole.slice(0, -20), 'not valid XML'],
    ['what goes on', `${whole}<a/>`, 'not valid XML'],
    ['a tag that another closes', whole.replace('</alerts>', '</alert>'), 'not valid XML'],
    ['an entity of HTML', whole.replace('<alerts>', '<alerts>&nbsp;'), 'not valid XML'],
    ['a document type', `<!DOCTYPE OWASPZAPReport>${whole}`, 'has a document type (DOCTYPE)'],
    [
      'entities that grow',
      `<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${whole.replace('<alerts>', '<alerts>&b;')}`,
      'has a document type (DOCTYPE)',
    ],
    ['a file that it names', `<!DOCTYPE a SYSTEM "file:///etc/passwd">${whole}`, 'has a document type (DOCTYPE)'],
    ['elements without end', '<OWASPZAPReport>'.concat('<a>'.repeat(20_000)), 'nested deeper than 10000 levels'],
    [
      'attributes without end',
      `<OWASPZAPReport ${Array.from({ length: 1_001 }, (_, at) => `a${at}=""`).join(' ')}>`,
      'more than 1000 attributes',
    ],
  ])('refuses %s', async (_, xml, sentence) => {
    const read = readWhole(xml, { format: 'zap-xml' });
    await expect(read).rejects.toThrow(sentence);
    await expect(read).rejects.toBeInstanceOf(Invalid);
  });

  it('refuses invalid UTF-8', async () => {
    const bytes = Buffer.from(whole);
    bytes[bytes.indexOf('Alert')] = 0xff;
    await expect(readWhole(bytes)).rejects.toThrow('not valid UTF-8');
  });

  it('refuses a report truncated at any point', async () => {
    for (let length = 0; length < whole.length; length++) {
      await expect(readWhole(whole.slice(0, length))).rejects.toBeInstanceOf(Invalid);
    }
  });

  it.each([
    ['letters', 'x'],
    ['entities', '&amp;'],
    ['brackets', ']'],
    ['elements', '<a/>'],
    ['comments', '<!---->'],
    ['blanks', ' '],
  ])('reads half a million %s, within the time of a test', async (_, piece) => {
    const { findings } = await readWhole(whole.replace('<alerts>', `<alerts>${piece.repeat(500_000)}`));
    expect(findings).not.toEqual([]);
  });
});
