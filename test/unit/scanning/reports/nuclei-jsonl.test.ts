import { describe, expect, it } from '@jest/globals';
import { readWhole } from '../../../support/reports.js';

type Json = Record<string, unknown>;

const line = (more: Json = {}): Json => ({
  'template-id': 'git-config',
  info: {
    name: 'Git Config File',
    author: ['ada'],
    tags: ['config', 'git', 'exposure'],
    description: 'The git config is public.',
    severity: 'medium',
    reference: ['https://docs.example/git'],
    classification: { 'cve-id': null, 'cwe-id': ['cwe-200'], 'cvss-score': 5.3 },
  },
  'matcher-name': 'plain',
  type: 'http',
  host: 'https://shop.example',
  'matched-at': 'https://shop.example/.git/config',
  ip: '192.0.2.7',
  timestamp: '2026-11-21T12:00:00.000000001Z',
  'matcher-status': true,
  ...more,
});

const lines = (...all: (Json | string)[]): string =>
  all.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');

async function only(more: Json): Promise<Awaited<ReturnType<typeof readWhole>>['findings'][number]> {
  const { findings, skipped } = await readWhole(lines(line(more)));
  const [finding] = findings;
  if (!finding) throw new Error(`There is no finding: ${skipped.join()}`);
  return finding;
}

describe('readNucleiJsonl', () => {
  it('reads a line whole', async () => {
    expect(await only({ 'extracted-results': ['main'] })).toEqual({
      asset: {
        name: 'https://shop.example',
        type: 'WEBAPP',
        class: 'FRONTEND',
        frontend: { type: 'WEBAPP', url: 'https://shop.example', ips: [], regionCountryCodes: [], tls: true },
      },
      name: 'Git Config File',
      severity: 'MEDIUM',
      category: 'INFORMATION_DISCLOSURE',
      context: 'The git config is public.\n\nMatcher plain\n\nExtracted:\nmain\n\nhttps://docs.example/git',
      securityTestUid: 'git-config',
      fingerprint: '["git-config","plain","https://shop.example/.git/config"]',
      targets: [
        {
          targetUid: 'https://shop.example/.git/config',
          webPage: { url: 'https://shop.example/.git/config', visits: 1 },
        },
      ],
      event: {
        title: 'Git Config File (plain) at https://shop.example/.git/config',
        description: 'The git config is public.\n\nMatcher plain\n\nExtracted:\nmain\n\nhttps://docs.example/git',
        attachments: [],
      },
    });
  });

  it('reads the names of older versions', async () => {
    const old = {
      templateID: 'old',
      info: { name: 'Old', severity: 'high', tags: 'a, xss' },
      matcher_name: 'm',
      host: 'shop.example',
      matched: 'https://shop.example/x',
    };
    expect((await readWhole(lines(old))).findings).toMatchObject([
      { name: 'Old', severity: 'HIGH', category: 'INJECTION', fingerprint: '["old","m","https://shop.example/x"]' },
    ]);
  });

  it.each([
    ['critical', 'CRITICAL'],
    ['High', 'HIGH'],
    ['low', 'LOW'],
    ['info', 'INFO'],
    ['unknown', 'INFO'],
    [undefined, 'INFO'],
    [7, 'INFO'],
  ])('reads the severity %j as %s', async (severity, expected) => {
    expect(await only({ info: { name: 'x', severity } })).toMatchObject({ severity: expected });
  });

  it.each([
    ['a list', { classification: { 'cwe-id': ['cwe-79'] } }, 'INJECTION'],
    ['a text', { classification: { 'cwe-id': 'CWE-352,CWE-79' } }, 'REQUEST_FORGERY'],
    ['a bare number', { classification: { 'cwe-id': 639 } }, 'ACCESS_CONTROL'],
    ['null, and tags', { classification: { 'cwe-id': null }, tags: ['ssrf'] }, 'REQUEST_FORGERY'],
    ['no classification, and tags in a text', { classification: null, tags: 'tech,misconfig' }, 'CONFIGURATION'],
    ['a weakness that has none, and tags', { classification: { 'cwe-id': ['cwe-99999'] }, tags: ['lfi'] }, 'INJECTION'],
    ['tags that tell nothing', { tags: ['tech', 'constructor'] }, 'CUSTOM'],
  ])('reads the category from %s', async (_, info, category) => {
    expect(await only({ info: { name: 'x', ...info } })).toMatchObject({ category });
  });

  it.each([
    ['a URL', { host: 'http://shop.example:8080/x' }, 'FRONTEND', 'WEBAPP', 'http://shop.example:8080'],
    ['a name', { host: 'Shop.example' }, 'HOST', 'DNS', 'shop.example'],
    ['a name and port', { host: 'shop.example:22' }, 'HOST', 'DNS', 'shop.example'],
    ['an address', { host: '192.0.2.7' }, 'HOST', 'IPV4', '192.0.2.7'],
    ['a v6 address', { host: '2001:db8::1' }, 'HOST', 'IPV6', '2001:db8::1'],
    ['a v6 address and port', { host: '[2001:db8::1]:443' }, 'HOST', 'IPV6', '2001:db8::1'],
    ['another scheme', { host: 'ssh://shop.example:22' }, 'HOST', 'DNS', 'shop.example'],
    [
      'the url, without a host',
      { host: undefined, url: 'https://other.example/a' },
      'FRONTEND',
      'WEBAPP',
      'https://other.example',
    ],
    ['where it matched', { host: '', url: null }, 'FRONTEND', 'WEBAPP', 'https://shop.example'],
    ['the ip, without any other', { host: undefined, 'matched-at': undefined }, 'HOST', 'IPV4', '192.0.2.7'],
  ])('knows the asset by %s', async (_, change, assetClass, type, name) => {
    expect((await only(change)).asset).toMatchObject({ class: assetClass, type, name });
  });

  it('keeps the port and address of a host', async () => {
    const { asset } = await only({ host: 'shop.example:22' });
    expect(asset.host).toMatchObject({
      address: 'shop.example',
      ips: ['192.0.2.7'],
      ports: [{ port: 22, protocols: [] }],
    });
    expect((await only({ host: 'shop.example', port: '443' })).asset.host?.ports).toEqual([
      { port: 443, protocols: [] },
    ]);
    expect((await only({ host: 'shop.example', port: '99999' })).asset.host?.ports).toEqual([]);
  });

  it.each([
    ['matched-at', {}, 'https://shop.example/.git/config'],
    ['the url', { 'matched-at': undefined, url: 'https://shop.example/u' }, 'https://shop.example/u'],
    ['the host', { 'matched-at': undefined, host: 'shop.example:22' }, 'shop.example:22'],
  ])('takes %s for the target', async (_, change, target) => {
    const { targets, fingerprint } = await only(change);
    expect(targets.map(({ targetUid }) => targetUid)).toEqual([target]);
    expect(fingerprint).toBe(JSON.stringify(['git-config', 'plain', target]));
  });

  it('keeps request and response as an exchange', async () => {
    const request = 'GET /.git/config HTTP/1.1\r\nHost: shop.example\r\n\r\n';
    const response = 'HTTP/1.1 200 OK\r\nServer: nginx\r\n\r\n[core]';
    expect((await only({ request, response })).event.attachments).toEqual([
      {
        type: 'EXCHANGE',
        exchange: {
          request: { method: 'GET', url: 'https://shop.example/.git/config', headers: { Host: 'shop.example' } },
          response: { status: 200, headers: { Server: 'nginx' }, body: '[core]' },
        },
      },
    ]);
  });

  it('keeps what was said in other protocols as it is', async () => {
    const { attachments } = (await only({ type: 'dns', request: ';; opcode: QUERY', response: ';; ANSWER' })).event;
    expect(attachments).toEqual([
      { type: 'SNIPPET', snippet: { name: 'request', content: ';; opcode: QUERY' } },
      { type: 'SNIPPET', snippet: { name: 'response', content: ';; ANSWER' } },
    ]);
  });

  it('passes over blank lines and takes any end of a line', async () => {
    const text = `\ufeff\n${JSON.stringify(line())}\r\n\r\n  \n${JSON.stringify(line({ host: 'a.example' }))}`;
    const { findings, skipped } = await readWhole(text, { pieceBytes: 11 });
    expect([findings.length, skipped.length]).toEqual([2, 0]);
  });

  it('skips lines that cannot be read, each with its reason', async () => {
    const deep = `{"template-id":"x","a":${'['.repeat(70)}${']'.repeat(70)}}`;
    const text = lines(
      line(),
      '{"template-id": "cut',
      line(),
      '5',
      '{}',
      line({ 'matcher-status': false }),
      deep,
      line({ host: 'a b', url: '' }),
      line(),
    );
    const { findings, skipped } = await readWhole(text);
    expect(findings.length).toBe(3);
    expect(skipped).toEqual([
      'The finding is not valid JSON',
      'The finding has no template-id',
      'The finding has no template-id',
      'The template did not match (matcher-status false)',
      'The finding is nested deeper than 64 levels',
      'The finding names no host',
    ]);
  });

  it('skips a line that is no UTF-8', async () => {
    const broken = Buffer.from(lines(line(), line({ host: 'XX.example' }), line()));
    broken[broken.indexOf('XX')] = 0xff;
    expect(await readWhole(broken)).toMatchObject({ skipped: ['The finding is not valid UTF-8'] });
  });

  it('skips a line that is too large', async () => {
    expect(await readWhole(lines(line(), line({ response: 'x'.repeat(5 * 2 ** 20) })))).toMatchObject({
      skipped: ['The finding is larger than 4 MiB'],
    });
  });

  it.each([
    ['an array', `[${lines(line())},${lines(line())}]`],
    ['an array over lines', `[\n  ${lines(line())},\n  ${lines(line())}\n]\n`],
    ['an array with a comma at its end', `[${lines(line())},${lines(line())},\n]`],
    ['an array without commas', `[\n${lines(line(), line())}\n]`],
    ['an array, printed', JSON.stringify([line(), line()], null, 2)],
    ['lines behind those of a log', `[INF] Using Nuclei Engine\n${lines(line(), line())}`],
  ])('reads %s', async (name, text) => {
    for (const pieceBytes of [1, 64 * 1024]) {
      const { findings, skipped } = await readWhole(text, { pieceBytes });
      expect([findings.length, skipped.length]).toEqual([2, name.includes('log') ? 1 : 0]);
    }
  });

  it('skips an element of an array that cannot be read', async () => {
    const { findings, skipped } = await readWhole(`[${lines(line())},{"template-id": oops},${lines(line())}]`);
    expect([findings.length, skipped]).toEqual([2, ['The finding is not valid JSON']]);
  });

  it.each([
    ['ends too early', `[${lines(line())},`, 'it ends too early'],
    ['ends within an element', `[${lines(line())},{"template-id":"x"`, 'it ends too early'],
    ['goes on behind its end', `[${lines(line())}]]`, 'something follows the array'],
    ['holds something else', `[${lines(line())},5]`, 'the array holds something else than objects'],
  ])('refuses an array that %s', async (_, text, sentence) => {
    await expect(readWhole(text, { format: 'nuclei-jsonl' })).rejects.toThrow(sentence);
  });

  it('reads an empty array where it is told what it is', async () => {
    expect(await readWhole('[]', { format: 'nuclei-jsonl' })).toMatchObject({ findings: [], skipped: [] });
    await expect(readWhole('[]')).rejects.toThrow('of no format that is taken');
  });

  it.each(['{"level":"info","msg":"x"}\n{"level":"info"}', 'just\ntext', '[{"id":1}]'])(
    'refuses another tool’s lines: %j',
    async (text) => {
      await expect(readWhole(text, { format: 'nuclei-jsonl' })).rejects.toThrow('no line of it has a template-id');
      await expect(readWhole(text)).rejects.toThrow();
    },
  );
});
