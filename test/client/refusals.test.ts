import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startClient } from '../support/client-process.js';
import { runClient } from '../support/client-run.js';
import { until } from '../support/receiver.js';
import { page, startStubService, type StubAnswer, type StubService } from '../support/stub-service.js';

const id = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';

let service: StubService;

beforeAll(async () => {
  service = await startStubService();
});
afterAll(() => service.close());

const refusal = (status: number, detail: unknown, headers: Record<string, string> = {}): StubAnswer => ({
  status,
  json: { detail, code: 'some_code' },
  headers,
});

async function resultOf(...answers: StubAnswer[]) {
  service.sends(...answers);
  return runClient(['events', 'get', id], { url: service.url, key: 'sk_secret' });
}

describe('A refusal by the service', () => {
  it.each([
    [400, 1, 'Name one organization'],
    [409, 1, 'The workflow is disabled'],
    [413, 1, 'The report is too large'],
    [415, 1, 'Send JSON'],
    [403, 3, 'A viewer may not do that'],
    [404, 4, 'Event not found'],
    [500, 1, 'Something went wrong'],
    [503, 1, 'The database is away'],
  ])('with status %d becomes exit code %d, with its detail on standard error', async (status, exitCode, detail) => {
    const { code, stdout, stderr } = await resultOf(refusal(status, detail));
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr).toContain(detail);
    expect(stderr).toMatch(/^store: /);
  });

  it('names each field of a 422', async () => {
    const { code, stderr } = await resultOf(
      refusal(422, [
        { loc: ['query', 'cursor'], msg: 'Input should be a cursor', type: 'value_error' },
        { loc: ['body', 3, 'title'], msg: 'Field required', type: 'missing' },
      ]),
    );
    expect(code).toBe(1);
    expect(stderr).toContain('query.cursor: Input should be a cursor');
    expect(stderr).toContain('body.3.title: Field required');
  });

  it('asks for another key when the key is refused, and does not print it', async () => {
    const { code, stderr } = await resultOf(refusal(401, 'The API key is revoked'));
    expect(code).toBe(3);
    expect(stderr).toMatch(/The API key is revoked\n.*STORE_API_KEY is not a key that the service takes/);
    expect(stderr).not.toContain('sk_secret');
  });

  it('asks for a key when there is none', async () => {
    service.sends(refusal(401, 'Not authenticated'));
    const { code, stderr } = await runClient(['events', 'list'], { url: service.url });
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(
        /^store: Not authenticated: there is no API key\n +An API key says .* `store login` makes one.*set STORE_API_KEY/s,
      ),
    ]);
    expect(service.received[0]!.headers['x-api-key']).toBeUndefined();
  });

  it('rejects a malformed key before sending it', async () => {
    service.sends(page([]));
    const { code, stderr } = await runClient(['events', 'list'], { url: service.url, key: 'two\nlines' });
    expect([code, service.received.length]).toEqual([3, 0]);
    expect(stderr).toContain('STORE_API_KEY holds characters');
  });

  it('is printed with its escape sequences made visible', async () => {
    const { stderr } = await resultOf(refusal(400, 'evil \u001b]0;title\u0007\u009b31m'));
    expect(stderr).toContain('evil \\u001b]0;title\\u0007\\u009b31m');
  });
});

describe('A service that responds with 429', () => {
  it('is asked again at the time that it names', async () => {
    const { code, stdout, stderr } = await resultOf(
      refusal(429, 'Too many requests', { 'retry-after': '1' }),
      refusal(429, 'Too many requests', { 'retry-after': new Date(Date.now()).toUTCString() }),
      { json: { id, title: 'At last', description: '', attachments: [] } },
    );
    expect([code, service.received.length]).toEqual([0, 3]);
    expect(stdout).toContain('At last');
    expect(stderr).toContain('trying again in 1 s');
  });

  it('is waited for as long as a minute', async () => {
    service.sends(refusal(429, 'Too many requests', { 'retry-after': '60' }));
    const client = startClient(['events', 'get', id], { url: service.url });
    await until(() => client.stderr().includes('trying again in 60 s'), 'the wait');
    client.child.kill('SIGINT');
    expect([(await client.done).code, service.received.length]).toEqual([130, 1]);
  });

  it('gets no more than four attempts', async () => {
    const { code, stderr } = await resultOf(refusal(429, 'Too many requests', { 'retry-after': '0' }));
    expect([code, service.received.length]).toEqual([1, 4]);
    expect(stderr).toContain('Too many requests');
  });

  it('is not waited for when it names minutes', async () => {
    const { code } = await resultOf(refusal(429, 'Try again in an hour', { 'retry-after': '3600' }));
    expect([code, service.received.length]).toEqual([1, 1]);
  });
});

describe('A server other than the service', () => {
  it.each([
    ['a web page', { text: '<h1>Welcome</h1>' }],
    ['a web page with status 404', { status: 404, text: '<h1>Not found</h1>' }],
    ['other JSON with status 404', { status: 404, json: { error: 'nope' } }],
    ['JSON that is not an object', { json: 17 }],
    ['JSON that is none', { text: '{"id":', headers: { 'content-type': 'application/json' } }],
  ])('is recognized by %s', async (_what, answer) => {
    const { code, stdout, stderr } = await resultOf(answer);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/does not answer as Store Service does.*check STORE_API_URL/);
    expect(stderr).not.toContain('<h1>');
  });

  it('is recognized by a list that is not an array', async () => {
    service.sends({ json: {} });
    const { code, stderr } = await runClient(['events', 'list'], { url: service.url });
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not answer as Store Service does')]);
  });

  it('gets no key through a redirect', async () => {
    const thief = await startStubService();
    thief.sends(page([]));
    const { code, stderr } = await resultOf({ status: 302, text: '', headers: { location: `${thief.url}/login` } });
    expect([code, thief.received.length]).toEqual([1, 0]);
    expect(stderr).toContain(`redirects to ${thief.url}/login: set STORE_API_URL`);
    await thief.close();
  });

  it('is named by its address when nothing listens', async () => {
    const gone = await startStubService();
    await gone.close();
    const { code, stdout, stderr } = await runClient(['events', 'list'], { url: gone.url });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `store: Nothing answers at ${gone.url}: is the service running? Set STORE_API_URL where the service is elsewhere\n`,
    );
  });

  it('is expected at http://127.0.0.1:3000 by default', async () => {
    const { stdout } = await runClient(['--help']);
    expect(stdout).toContain('default: http://127.0.0.1:3000');
  });

  it('is named when its host is unknown', async () => {
    const { code, stderr } = await runClient(['events', 'list'], { url: 'http://store.invalid' });
    expect([code, stderr]).toEqual([1, expect.stringContaining('The host of http://store.invalid cannot be found')]);
  });

  it('is named when it cuts the connection off', async () => {
    service.answers((response) => response.destroy());
    const { code, stderr } = await runClient(['events', 'get', id], { url: service.url });
    expect([code, stderr]).toEqual([1, `store: The connection to ${service.url} was cut off\n`]);
  });

  it('is named when it cuts a response off', async () => {
    service.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"id":', () => response.destroy());
    });
    const { code, stdout, stderr } = await runClient(['events', 'get', id], { url: service.url });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^store: The connection to .* was cut off\n$/);
  });
});
