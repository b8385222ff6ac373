import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { webhook } from '../../support/workflows.js';
import { publicUrl, workflowScene } from '../../support/workflow-scene.js';

const secret = `whsec_${randomBytes(32).toString('base64')}`;

const scene = workflowScene();

const create = (json: Record<string, unknown>) => scene.calls.create(publicUrl, json);
const refused = (json: Record<string, unknown>) => scene.calls.refusedPlaces(publicUrl, json);

const header = (name: string, value = 'x') => ({ actions: [webhook(publicUrl, { headers: [{ name, value }] })] });

describe('The headers of an action', () => {
  it.each([
    ['a name of 256 characters', 'n'.repeat(256), 'x'],
    ['a value of 8,192 characters', 'X-Long', 'v'.repeat(8_192)],
    ['Latin-1', 'X-Latin', 'Grüße'],
    ['a tab', 'X-Tab', 'a\tb'],
    ['a Content-Type', 'content-type', 'text/plain'],
    ['webhook-id without a secret', 'webhook-id', '1'],
  ])('may have %s', async (_name, name, value) => {
    expect((await create(header(name, value))).status).toBe(201);
  });

  it.each([
    ['a name of 257 characters', 'n'.repeat(257)],
    ['no name', ''],
    ['a blank in the name', 'X Y'],
    ['a colon in the name', 'X:'],
    ['a line break in the name', 'X\r\nY'],
    ['a NUL in the name', 'X\0'],
    ['an umlaut in the name', 'Ü'],
    ...['Host', 'content-length', 'TRANSFER-ENCODING', 'Connection', 'Keep-Alive', 'Upgrade', 'TE', 'Trailer', 'Expect']
      .concat(
        'Proxy-Authorization',
        'proxy-x',
        'prototype',
        'Constructor',
        ...Object.getOwnPropertyNames(Object.prototype),
      )
      .map((name): [string, string] => [name, name]),
  ])('may not have %s', async (_name, name) => {
    expect(await refused(header(name))).toEqual([['body', 'actions', 0, 'parameters', 'headers', 0, 'name']]);
  });

  it.each([
    ['8,193 characters', 'v'.repeat(8_193)],
    ['a CR', 'a\rb'],
    ['an LF', 'a\nb'],
    ['a NUL', 'a\0b'],
    ['an escape', 'a\u001bb'],
    ['a character beyond Latin-1', '€'],
  ])('may not have %s in a value', async (_name, value) => {
    const { status, body } = await create(header('X-Name', value));
    expect(status).toBe(422);
    expect(body.detail[0]?.loc).toEqual(['body', 'actions', 0, 'parameters', 'headers', 0, 'value']);
    expect(body.detail[0]).not.toHaveProperty('input');
  });

  it('are at most 50', async () => {
    const headers = Array.from({ length: 51 }, (_, n) => ({ name: `X-${n}`, value: 'x' }));
    expect((await create({ actions: [webhook(publicUrl, { headers: headers.slice(1) })] })).status).toBe(201);
    expect(await refused({ actions: [webhook(publicUrl, { headers })] })).toEqual([
      ['body', 'actions', 0, 'parameters', 'headers'],
    ]);
  });

  it('are distinct in any case', async () => {
    const headers = ['X-One', 'x-one'].map((name) => ({ name, value: 'x' }));
    expect(await refused({ actions: [webhook(publicUrl, { headers })] })).toEqual([
      ['body', 'actions', 0, 'parameters', 'headers', 1, 'name'],
    ]);
  });

  it('may not be the signature itself beside a secret', async () => {
    const headers = [{ name: 'Webhook-Id', value: 'x' }];
    expect(await refused({ actions: [webhook(publicUrl, { headers, secret })] })).toEqual([
      ['body', 'actions', 0, 'parameters', 'headers', 0, 'name'],
    ]);
  });
});

describe('The secret of an action', () => {
  const of = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`;

  it.each([24, 32, 64])('may have %i bytes', async (bytes) => {
    expect((await create({ actions: [webhook(publicUrl, { secret: of(bytes) })] })).status).toBe(201);
  });

  it.each([of(23), of(65), 'whsec_', of(32).slice(6), `whsec_${'*'.repeat(40)}`, 'secret'])(
    'may not be %s',
    async (wrong) => {
      const { status, body } = await create({ actions: [webhook(publicUrl, { secret: wrong })] });
      expect(status).toBe(422);
      expect(body.detail[0]?.loc).toEqual(['body', 'actions', 0, 'parameters', 'secret']);
      expect(JSON.stringify(body)).not.toContain(wrong.length > 10 ? wrong : '"input"');
    },
  );
});

describe('The address of an action', () => {
  it.each([
    'http://localhost/',
    'http://127.0.0.1/',
    'http://2130706434/',
    'http://0x7f.0.0.2/',
    'http://0177.0.0.2/',
    'http://127.2/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.2]/',
    'http://[::127.0.0.2]/',
    'http://[64:ff9b::7f00:2]/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://224.0.0.1/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user:password@example.com/',
    'https://example.com:0/',
    'not a url',
    '/relative',
  ])('may not be %s', async (wrong) => {
    expect(await refused({ actions: [webhook(publicUrl), webhook(wrong)] })).toEqual([
      ['body', 'actions', 1, 'parameters', 'url'],
    ]);
  });

  it('may be a host that does not resolve', async () => {
    expect((await create({ actions: [webhook('https://nobody.invalid/hook')] })).status).toBe(201);
  });
});
