import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { UrlFetchResponse } from '../../../src/store/uploads/uploads.dto.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { Remote } from './remote.js';

let app: TestApp;
let remote: Remote;
beforeAll(async () => {
  app = await startTestApp({ env: { EGRESS_ALLOW: '127.0.0.1', TRUST_PROXY: 'loopback' } });
  remote = await Remote.start();
});
afterAll(async () => {
  await remote.server.stop();
  await app.close();
});

let callers = 0;
/** The header of a proxy for a caller of whom no other request came. */
function anotherCaller(): Record<string, string> {
  callers += 1;
  return { 'x-forwarded-for': `198.51.${callers >> 8}.${callers & 255}` };
}

function preview(url: string, headers: Record<string, string> = anotherCaller()) {
  const query = new URLSearchParams({ url }).toString();
  return app.api.get<UrlFetchResponse>(`/api/v1/uploads/fetch-url?${query}`, { headers });
}

describe('GET /api/v1/uploads/fetch-url', () => {
  it('returns title and description of a page without a token', async () => {
    const body =
      '<html><head><title>Fish &amp; Chips</title><meta name="description" content="Fried &eacute;t&eacute;">';
    const url = remote.at('/page', { type: 'text/html; charset=utf-8', body });
    expect(await preview(url)).toMatchObject({
      status: 200,
      body: {
        url,
        status_code: 200,
        content_type: 'text/html; charset=utf-8',
        content_length: body.length,
        preview: 'Fish & Chips — Fried été',
      },
    });
  });

  it('returns the beginning of a text', async () => {
    const url = remote.at('/text', { type: 'text/plain', body: 'word '.repeat(1_000) });
    expect((await preview(url)).body).toMatchObject({ preview: 'word '.repeat(200), content_length: 5_000 });
  });

  it('returns an empty preview for anything else', async () => {
    const url = remote.at('/bytes', { type: 'application/octet-stream', body: '<title>x</title>' });
    expect((await preview(url)).body).toMatchObject({ preview: '' });
    expect((await preview(remote.at('/untyped', { body: 'x' }))).body).toMatchObject({
      preview: '',
      content_type: null,
    });
  });

  it('returns the status of a missing page', async () => {
    expect(await preview(remote.server.url('/unknown'))).toMatchObject({ status: 200, body: { status_code: 404 } });
  });

  it('returns the given address after redirects', async () => {
    remote.at('/target', { type: 'text/html', body: '<title>Target</title>' });
    const url = remote.at('/redirect', { status: 301, headers: { location: '/target' } });
    expect((await preview(url)).body).toMatchObject({ url, status_code: 200, preview: 'Target' });
  });

  it('reveals nothing of the caller to the page', async () => {
    const url = remote.at('/curious', { type: 'text/plain', body: 'x' });
    await preview(url, { authorization: 'Bearer secret', cookie: 'a=b', 'x-forwarded-for': '203.0.113.9' });
    const headers = remote.asked.find(({ path }) => path === '/curious')?.headers ?? {};
    expect(Object.keys(headers).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
  });

  it('responds with 502 to endless redirects', async () => {
    const url = remote.at('/round', { status: 302, headers: { location: '/round' } });
    expect(await preview(url)).toMatchObject({ status: 502, body: { code: 'upstream_too_many_redirects' } });
  });

  it('responds with 502 when more than 5 MiB arrive, without reading on', async () => {
    let sent = 0;
    const url = remote.at('/endless', (_request, response) => {
      const chunk = Buffer.alloc(65_536, 'x');
      const push = (): void => {
        while (!response.destroyed && sent < 200_000_000) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', push);
        }
        response.end();
      };
      push();
    });
    expect(await preview(url)).toMatchObject({ status: 502, body: { code: 'upstream_too_large' } });
    expect(sent).toBeLessThan(50_000_000);
  });

  it('responds with 502 when no response comes within five seconds', async () => {
    const answer = await preview(remote.at('/silent', () => undefined));
    expect(answer).toMatchObject({ status: 502, body: { code: 'upstream_timeout' } });
  });

  it('responds with 429 to more than sixty requests a minute from one address, and not to another address', async () => {
    const url = remote.at('/popular', { type: 'text/plain', body: 'x' });
    const from = (address: string) => preview(url, { 'x-forwarded-for': address });
    for (let count = 0; count < 60; count++) expect((await from('203.0.113.7')).status).toBe(200);
    const refused = await from('203.0.113.7');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await from('203.0.113.8')).status).toBe(200);
  });

  it('responds with 429 to too many concurrent requests from one IPv6 /64, and not to another', async () => {
    const held: ServerResponse[] = [];
    let opened = false;
    const url = remote.at('/slow-v6', (_request, response) => void (opened ? response.end('x') : held.push(response)));
    const from = (address: string) => preview(url, { 'x-forwarded-for': address });
    const all = Array.from({ length: 13 }, (_, host) => from(`2001:db8:0:1::${host + 1}`));
    await expect(Promise.race(all)).resolves.toMatchObject({ status: 429, body: { code: 'busy' } });
    const neighbour = from('2001:db8:0:2::1');
    opened = true;
    for (const response of held) response.end('x');
    expect((await neighbour).status).toBe(200);
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(12);
  });

  it('responds with 503 when too many wait, and succeeds again afterwards', async () => {
    const held: ServerResponse[] = [];
    let opened = false;
    const url = remote.at('/slow', (_request, response) => void (opened ? response.end('x') : held.push(response)));
    const all = Promise.all(Array.from({ length: 90 }, () => preview(url)));
    const refused = preview(url);
    await expect(Promise.race([refused, all])).resolves.toMatchObject({ status: 503 });
    opened = true;
    for (const response of held) response.end('x');
    const statuses = (await all).map(({ status }) => status);
    // On a busy machine those that were held first may have waited for five seconds by then.
    expect(statuses.filter((status) => status === 200 || status === 502)).toHaveLength(48);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status === 503)).toHaveLength(42);
  });

  it.each([
    ['', 'missing'],
    ['?url=', 'string_too_short'],
    ['?url=example.com', 'value_error'],
    ['?url=javascript:alert(1)', 'value_error'],
    ['?url=http://', 'value_error'],
    ['?url=%00', 'string_unicode'],
  ])('responds with 422 to %j', async (query, type) => {
    const { status, body } = await app.api.get(`/api/v1/uploads/fetch-url${query}`, { headers: anotherCaller() });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['query', 'url'], type }] });
  });
});
