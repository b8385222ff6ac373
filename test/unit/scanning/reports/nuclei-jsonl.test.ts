import { describe, expect, it } from '@jest/globals';
import type { ReportFinding } from '../../../../src/scanning/reports/report-finding.js';
import { nucleiFinding, reportOf } from '../../../support/nuclei-reports.js';
import { onlyFinding, readWhole } from '../../../support/reports.js';

type Json = Record<string, unknown>;

async function only(more: Json): Promise<ReportFinding> {
  return onlyFinding(reportOf(nucleiFinding(more)));
}

describe('readNucleiJsonl', () => {
  it('reads a complete line', async () => {
    expect(await only({ 'extracted-results': ['main'] })).toEqual({
      detail: expect.stringContaining('"score":5.3'),
      ruleDigest: expect.any(String),
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
    expect((await readWhole(reportOf(old))).findings).toMatchObject([
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
    ['matched-at', {}, 'https://shop.example/.git/config'],
    ['the url', { 'matched-at': undefined, url: 'https://shop.example/u' }, 'https://shop.example/u'],
    ['the host', { 'matched-at': undefined, host: 'shop.example:22' }, 'shop.example:22'],
  ])('takes %s as the target', async (_, change, target) => {
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

  it('keeps messages of other protocols as snippets', async () => {
    const { attachments } = (await only({ type: 'dns', request: ';; opcode: QUERY', response: ';; ANSWER' })).event;
    expect(attachments).toEqual([
      { type: 'SNIPPET', snippet: { name: 'request', content: ';; opcode: QUERY' } },
      { type: 'SNIPPET', snippet: { name: 'response', content: ';; ANSWER' } },
    ]);
  });

  it('ignores blank lines and accepts any line end', async () => {
    const text = `\ufeff\n${JSON.stringify(nucleiFinding())}\r\n\r\n  \n${JSON.stringify(nucleiFinding({ host: 'a.example' }))}`;
    const { findings, skipped } = await readWhole(text, { pieceBytes: 11 });
    expect([findings.length, skipped.length]).toEqual([2, 0]);
  });

  it('skips unreadable lines, each with its reason', async () => {
    const deep = `{"template-id":"x","a":${'['.repeat(70)}${']'.repeat(70)}}`;
    const text = reportOf(
      nucleiFinding(),
      '{"template-id": "cut',
      nucleiFinding(),
      '5',
      '{}',
      nucleiFinding({ 'matcher-status': false }),
      deep,
      nucleiFinding({ host: 'a b', 'matched-at': undefined, ip: '', url: '' }),
      nucleiFinding(),
    );
    const { findings, skipped } = await readWhole(text);
    expect(findings.length).toBe(3);
    expect(skipped).toEqual([
      'The finding is not valid JSON',
      'The finding is not an object',
      'The finding has no template-id',
      'The template did not match (matcher-status false)',
      'The finding is nested deeper than 64 levels',
      'The finding does not name a site, host or complete path: name its asset with the query parameter asset',
    ]);
  });

  it('skips a line of invalid UTF-8', async () => {
    const broken = Buffer.from(reportOf(nucleiFinding(), nucleiFinding({ host: 'XX.example' }), nucleiFinding()));
    broken[broken.indexOf('XX')] = 0xff;
    expect(await readWhole(broken)).toMatchObject({ skipped: ['The finding is not valid UTF-8'] });
  });

  it('skips a line that is too large', async () => {
    expect(
      await readWhole(reportOf(nucleiFinding(), nucleiFinding({ response: 'x'.repeat(5 * 2 ** 20) }))),
    ).toMatchObject({
      skipped: ['The finding is larger than 4 MiB'],
    });
  });

  it.each([
    ['an array', `[${reportOf(nucleiFinding())},${reportOf(nucleiFinding())}]`],
    ['an array over lines', `[\n  ${reportOf(nucleiFinding())},\n  ${reportOf(nucleiFinding())}\n]\n`],
    ['an array with a comma at its end', `[${reportOf(nucleiFinding())},${reportOf(nucleiFinding())},\n]`],
    ['an array without commas', `[\n${reportOf(nucleiFinding(), nucleiFinding())}\n]`],
    ['an array, printed', JSON.stringify([nucleiFinding(), nucleiFinding()], null, 2)],
    ['lines behind those of a log', `[INF] Using Nuclei Engine\n${reportOf(nucleiFinding(), nucleiFinding())}`],
  ])('reads %s', async (name, text) => {
    for (const pieceBytes of [1, 64 * 1024]) {
      const { findings, skipped } = await readWhole(text, { pieceBytes });
      expect([findings.length, skipped.length]).toEqual([2, name.includes('log') ? 1 : 0]);
    }
  });

  it('skips an element of an array that cannot be read', async () => {
    const { findings, skipped } = await readWhole(
      `[${reportOf(nucleiFinding())},{"template-id": oops},${reportOf(nucleiFinding())}]`,
    );
    expect([findings.length, skipped]).toEqual([2, ['The finding is not valid JSON']]);
  });

  it.each([
    ['ends too early', `[${reportOf(nucleiFinding())},`, 'it ends too early'],
    ['ends within an element', `[${reportOf(nucleiFinding())},{"template-id":"x"`, 'it ends too early'],
    ['goes on behind its end', `[${reportOf(nucleiFinding())}]]`, 'there is more after the array'],
  ])('refuses an array that %s', async (_, text, sentence) => {
    await expect(readWhole(text, { format: 'nuclei-jsonl' })).rejects.toThrow(sentence);
  });

  it.each(['5', '"text, with ] and {"', 'null', '[[{}]]', '-1e5', 'true', '[', '"open'])(
    'skips %s in an array, and no other element',
    async (strange) => {
      const whole = strange === '[' || strange === '"open' ? '' : `${strange},`;
      for (const text of [
        `[${whole}${reportOf(nucleiFinding())},${reportOf(nucleiFinding())}]`,
        `[ ${reportOf(nucleiFinding())} ,${whole}\n${reportOf(nucleiFinding())}]`,
        `[${reportOf(nucleiFinding())},${reportOf(nucleiFinding())},${whole.slice(0, -1)}]`,
      ]) {
        for (const pieceBytes of [1, 64 * 1024]) {
          const { findings, skipped } = await readWhole(text, { format: 'nuclei-jsonl', pieceBytes });
          expect([findings.length, skipped.length]).toEqual([2, whole === '' ? 0 : 1]);
        }
      }
    },
  );

  it('cuts values that are too long, and says which', async () => {
    const long = 'x'.repeat(70_000);
    const { cut } = await readWhole(
      reportOf(
        nucleiFinding({
          info: { name: long, description: long },
          'extracted-results': Array(300).fill('a'),
          response: long,
        }),
        nucleiFinding(),
      ),
    );
    expect(cut).toEqual([
      'The name is cut after 300 characters; only the first 200 of 300 extracted results are kept; ' +
        'the description is cut after 5000 characters; the response is cut after 65536 characters',
      null,
    ]);
  });

  it('keeps interactions with external servers', async () => {
    const { attachments } = (await only({ interaction: { protocol: 'dns', 'q-type': 'A' } })).event;
    expect(attachments).toMatchObject([{ type: 'SNIPPET', snippet: { name: 'interaction' } }]);
  });

  it('accepts an empty array with format=nuclei-jsonl only', async () => {
    expect(await readWhole('[]', { format: 'nuclei-jsonl' })).toMatchObject({ findings: [], skipped: [] });
    await expect(readWhole('[]')).rejects.toThrow('The format of the report is not supported');
  });

  it.each(['{"level":"info","msg":"x"}\n{"level":"info"}', 'just\ntext', '[{"id":1}]'])(
    'refuses another tool’s lines: %j',
    async (text) => {
      await expect(readWhole(text, { format: 'nuclei-jsonl' })).rejects.toThrow('none of its lines has a template-id');
      await expect(readWhole(text)).rejects.toThrow();
    },
  );
});
