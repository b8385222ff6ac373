import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endWithItsFile } from '../../../../src/platform/storefront/broken-files.js';

/** Sends the file of an address as SvelteKit's adapter does: it says that all is well, and then opens it. */
const server = createServer((request, response) => {
  endWithItsFile(response);
  response.writeHead(200);
  createReadStream(request.url === '/there' ? new URL(import.meta.url) : `/nowhere${request.url}`).pipe(response);
});
const see = (path: string) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  await once(server, 'close');
});

describe('A file that is gone', () => {
  it('ends its response, and the next one is sent', async () => {
    await expect(see('/gone').then((answer) => answer.text())).rejects.toThrow();
    expect(await (await see('/there')).text()).toContain('endWithItsFile');
  });
});
