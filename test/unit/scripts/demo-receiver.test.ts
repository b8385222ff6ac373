import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it } from '@jest/globals';
import { receiverSecret } from '@store-service/demo';
import { signatureHeaders } from '../../../src/platform/delivery/signature.js';
import { type ReceiverProcess, startReceiverProcess } from '../../support/receiver-process.js';

const payload = {
  issues: [{ severity: 'HIGH', name: 'Card \u001b[2J number in the log', targets: [] }],
  assets: [],
  scans: [{}, {}],
  profiles: [],
  locations: [],
  integrations: [{ name: 'Code host', parameters: { apiKey: 'very-secret-7' } }],
};
const body = JSON.stringify(payload);
const key = Buffer.from(receiverSecret.replace('whsec_', ''), 'base64');

async function* chunks(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}

let receiver: ReceiverProcess;
const start = async (...options: string[]): Promise<void> => {
  receiver = await startReceiverProcess(...options);
};
const deliver = async (text: string, headers: [string, string][] = []): Promise<number> =>
  (await fetch(receiver.url, { method: 'POST', body: text, headers })).status;
afterEach(() => receiver.stop());

describe('npm run demo:receiver', () => {
  it('responds with 200 and prints what arrived, but no secret and no terminal control', async () => {
    await start();
    expect(await deliver(body)).toBe(200);
    await receiver.printed('answered 200');
    const output = receiver.output();
    expect(output).toContain('issues 1, assets 0, scans 2, profiles 0, locations 0, integrations 1');
    expect(output).toContain('HIGH      Card ?[2J number in the log');
    expect(output).toContain('Code host (apiKey)');
    expect(output).toContain('not signed, default variant');
    expect(output).not.toContain('very-secret-7');
  });

  it('recognizes the demo signature, and rejects a wrong or old one', async () => {
    await start();
    const [good, old] = await Promise.all(
      [new Date(), new Date(Date.now() - 3_600_000)].map((time) =>
        signatureHeaders({ id: 'delivery-1', time, keys: [key] }, chunks(body)),
      ),
    );
    await deliver(body, good);
    await receiver.printed('signature good, default variant, delivery-1');
    await deliver(body, old);
    await receiver.printed('signature too old');
    await deliver(body.replace('HIGH', 'LOW'), good);
    await receiver.printed('SIGNATURE WRONG');
  });

  it('names the scoped payload variant', async () => {
    await start();
    await deliver(JSON.stringify({ issues: [{ severity: 'LOW', name: 'TRACE is answered', assetId: 'x' }] }));
    await receiver.printed('scoped variant');
  });

  it('responds with 500 as many times as --fail says', async () => {
    await start('--fail', '2');
    expect([await deliver(body), await deliver(body), await deliver(body)]).toEqual([500, 500, 200]);
  });

  it('responds with 400 to a body that is not JSON', async () => {
    await start();
    expect(await deliver('<html>')).toBe(400);
  });

  it('refuses unknown options', async () => {
    await start();
    const script = new URL('../../../scripts/demo-receiver.mjs', import.meta.url).pathname;
    const ended = spawnSync(process.execPath, [script, '--port', 'x'], { encoding: 'utf8' });
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain('--port should be a whole number from 0 to 65535, not "x"');
  });
});
