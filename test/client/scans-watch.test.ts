import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { startClient } from '../support/client-process.js';
import { runClient } from '../support/client-run.js';
import { startStubService, type StubAnswer, type StubService } from '../support/stub-service.js';

const id = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';

let service: StubService;

beforeAll(async () => {
  service = await startStubService();
});
afterAll(() => service.close());

function scan(status: string, progressRatio: number): StubAnswer {
  return { json: { id, status, progressRatio, updatedAt: '2026-01-01T00:00:00.000Z', application: { name: 'Shop' } } };
}

const watch = (...args: string[]) => runClient(['scans', 'watch', id, ...args], { url: service.url });

describe('store scans watch', () => {
  it('prints each change until the scan is FINISHED', async () => {
    service.sends(scan('RUNNING', 0.296), scan('RUNNING', 0.296), scan('RUNNING', 0.999), scan('FINISHED', 1));
    const { code, stdout, stderr } = await watch();
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      ['RUNNING', '29 %'],
      ['RUNNING', '99 %'],
      ['FINISHED', '100 %'],
      [],
    ]);
    expect([code, stderr, service.received.length]).toEqual([0, '', 4]);
  });

  it.each(['FAILED', 'CANCELED'])('ends with 5 when the scan is %s', async (status) => {
    service.sends(scan('STARTING', 0), scan(status, 0.5));
    const { code, stdout, stderr } = await watch();
    expect([code, stderr]).toEqual([5, `store: The scan is ${status}\n`]);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
  });

  it.each([
    [20, 'FINISHED  100 %'],
    [30, 'FINISHED  [##########]  100 %'],
    [200, `FINISHED  [${'#'.repeat(30)}]  100 %`],
  ])('rewrites its line on a terminal of %d columns without wrapping', async (columns, line) => {
    service.sends(scan('FINISHED', 1));
    const { stdout } = await runClient(['scans', 'watch', id], { url: service.url, columns, env: { NO_COLOR: '1' } });
    expect(stdout).toBe(`\r${line}\u001b[K\n`);
    expect(line.length).toBeLessThan(columns);
  });

  it('prints each change as one line of JSON with -o json', async () => {
    const changes = [scan('RUNNING', 0.5), scan('FINISHED', 1)];
    service.sends(...changes);
    const { stdout } = await watch('-o', 'json');
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    ).toEqual(changes.map(({ json }) => json));
  });

  it('survives a short outage of the service', async () => {
    const away = { status: 503, json: { detail: 'The database is away', code: 'unavailable' } };
    service.sends(scan('RUNNING', 0.5), away, away, scan('FINISHED', 1));
    const { code, stdout, stderr } = await watch();
    expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 2]);
    expect(stderr.match(/The database is away/g)).toHaveLength(1);
    expect(stderr).toContain('The service answers again');
  });

  it('survives a lost connection', async () => {
    let asked = 0;
    service.answers((response) => {
      asked += 1;
      if (asked === 2) response.destroy();
      else {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(scan(asked > 2 ? 'FINISHED' : 'RUNNING', asked > 2 ? 1 : 0).json));
      }
    });
    const { code, stderr } = await watch();
    expect([code, stderr]).toEqual([0, expect.stringContaining('was cut off')]);
  });

  it('does not wait for a service that was never reached', async () => {
    const { code } = await runClient(['scans', 'watch', id], { url: 'http://store.invalid' });
    expect(code).toBe(1);
  });

  it.each([
    [404, 4],
    [401, 3],
  ])('turns a response %d while watching into exit code %d', async (status, exitCode) => {
    service.sends(scan('RUNNING', 0), { status, json: { detail: 'No', code: 'no' } });
    expect((await watch()).code).toBe(exitCode);
  });

  it('ends quietly with 130 at Ctrl-C', async () => {
    service.sends(scan('RUNNING', 0.5));
    const client = startClient(['scans', 'watch', id], { url: service.url });
    await once(client.child.stdout, 'data');
    client.child.kill('SIGINT');
    const { code, stderr } = await client.done;
    expect([code, stderr]).toEqual([130, '']);
  });
});
