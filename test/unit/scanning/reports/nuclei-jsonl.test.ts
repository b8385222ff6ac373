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
        frontend: {
          type: 'WEBAPP',
          url: 'https://shop.example',
          ips: ['192.0.2.7'],
          regionCountryCodes: [],
          tls: true,
        },
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

  /** A line that says where it is by the given fields alone. */
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
  ])('knows the asset by %s', async (_, places, assetClass, name) => {
    expect((await only(at(places))).asset).toMatchObject({ class: assetClass, name });
  });

  it('knows a function of AWS by its ARN', async () => {
    const { asset } = await only(at({ host: 'arn:aws:lambda:eu-west-1:123456789012:function:pay' }));
    expect(asset).toMatchObject({ type: 'AWS_LAMBDA', class: 'CLOUD_COMPONENT' });
  });

  it.each([
    ['no place', {}],
    ['places that cannot be read', { url: '/x', 'matched-at': 'a b', host: '-', ip: '@' }],
    ['a file at a relative path', { type: 'file', host: '.', 'matched-at': 'src/.env' }],
  ])('skips what names %s, and says how to place it', async (_, places) => {
    const { skipped } = await readWhole(lines(line(at(places))));
    expect(skipped).toEqual([expect.stringContaining('query parameter asset')]);
  });

  it('takes the asset that the caller names for all lines', async () => {
    const asset = { name: 'shop', type: 'WEBAPP', class: 'FRONTEND' } as const;
    const text = lines(line(at({})), line(), line(at({ type: 'file', host: '.' })));
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
      line({ host: 'a b', 'matched-at': undefined, ip: '', url: '' }),
      line(),
    );
    const { findings, skipped } = await readWhole(text);
    expect(findings.length).toBe(3);
    expect(skipped).toEqual([
      'The finding is not valid JSON',
      'The finding is no object',
      'The finding has no template-id',
      'The template did not match (matcher-status false)',
      'The finding is nested deeper than 64 levels',
      'The finding names no site, host or whole path: name what it is of by the query parameter asset',
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
  ])('refuses an array that %s', async (_, text, sentence) => {
    await expect(readWhole(text, { format: 'nuclei-jsonl' })).rejects.toThrow(sentence);
  });

  it.each(['5', '"text, with ] and {"', 'null', '[[{}]]', '-1e5', 'true', '[', '"open'])(
    'skips %s in an array, and no other element',
    async (strange) => {
      const whole = strange === '[' || strange === '"open' ? '' : `${strange},`;
      for (const text of [
        `[${whole}${lines(line())},${lines(line())}]`,
        `[ ${lines(line())} ,${whole}\n${lines(line())}]`,
        `[${lines(line())},${lines(line())},${whole.slice(0, -1)}]`,
      ]) {
        for (const pieceBytes of [1, 64 * 1024]) {
          const { findings, skipped } = await readWhole(text, { format: 'nuclei-jsonl', pieceBytes });
          expect([findings.length, skipped.length]).toEqual([2, whole === '' ? 0 : 1]);
        }
      }
    },
  );

  it('cuts what is too long, and says so', async () => {
    const long = 'x'.repeat(70_000);
    const { cut } = await readWhole(
      lines(
        line({ info: { name: long, description: long }, 'extracted-results': Array(300).fill('a'), response: long }),
        line(),
      ),
    );
    expect(cut).toEqual([
      'The name goes on after 300 characters; of 300 extracted results the first 200 are kept; ' +
        'the description goes on after 5000 characters; the response goes on after 65536 characters',
      null,
    ]);
  });

  it('keeps what a server elsewhere was asked', async () => {
    const { attachments } = (await only({ interaction: { protocol: 'dns', 'q-type': 'A' } })).event;
    expect(attachments).toMatchObject([{ type: 'SNIPPET', snippet: { name: 'interaction' } }]);
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
