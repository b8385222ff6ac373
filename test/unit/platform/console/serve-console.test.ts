import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsoleFiles } from '../../../../src/platform/console/console-files.js';
import { filesHandler } from '../../../../src/platform/console/serve-console.js';

let folder = '';
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  await mkdir(join(folder, 'assets'));
  for (const name of ['index.html', 'assets/kept.js', 'assets/gone.js', 'assets/gone.js.br']) {
    await writeFile(join(folder, name), name);
  }
  const app = express().use('/console', filesHandler(new ConsoleFiles(folder)));
  server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

const statusOf = async (path: string, encoding = 'identity') => {
  const { port } = server.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}/console/${path}`, { headers: { 'accept-encoding': encoding } })).status;
};

describe('the files of the console', () => {
  it('are missing, rather than a fault, once a new build has removed them, and the others are there', async () => {
    for (const name of ['assets/gone.js', 'assets/gone.js.br']) await rm(join(folder, name));
    const statuses = [
      await statusOf('assets/gone.js'),
      await statusOf('assets/gone.js', 'br'),
      await statusOf('assets/kept.js'),
      await statusOf('shop/orders'),
    ];
    expect(statuses).toEqual([404, 404, 200, 200]);
  });

  it('are there again once they are back', async () => {
    await writeFile(join(folder, 'assets/gone.js'), 'back');
    expect(await statusOf('assets/gone.js')).toBe(200);
  });
});
