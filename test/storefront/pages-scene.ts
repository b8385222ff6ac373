import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@store-service/embedded-postgres';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser } from '../support/browser.js';
import '../support/built-service.js';
import { withDemoData } from '../support/demo-template.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** A page on which errors, refused styles and requests to other origins are gathered. */
export type WatchedPage = Page & { faults: string[] };

export interface PagesScene {
  app: TestApp;
  /** The address of the shop front, a process of its own. */
  origin: string;
  /** The way from the shop front to the service. */
  way: TcpProxy;
  newPage(settings?: BrowserContextOptions): Promise<WatchedPage>;
  close(): Promise<void>;
}

const folder = fileURLToPath(new URL('../../packages/storefront/build', import.meta.url));

async function startStorefront(apiUrl: string): Promise<{ child: ChildProcess; origin: string }> {
  const port = await freePort(null);
  const origin = `http://127.0.0.1:${port}`;
  const env = { HOST: '127.0.0.1', PORT: String(port), ORIGIN: origin, STORE_API_URL: apiUrl, BODY_SIZE_LIMIT: '12M' };
  const child = spawn(process.execPath, ['index.js'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const isListening = new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Listening on')) resolve();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', (code) => reject(new Error(`The shop front ended with ${code}:\n${output}`)));
  });
  await isListening;
  return { child, origin };
}

function watch(page: Page, origin: string): WatchedPage {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && new URL(request.url()).origin !== origin) faults.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${message.text()} (${message.location().url})`);
  });
  return Object.assign(page, { faults });
}

/** The demo's shop, a shop front on a machine of its own, so to say, and one browser. */
export async function startPagesScene(): Promise<PagesScene> {
  const app = await startTestApp(await withDemoData({}));
  const way = await startTcpProxy(Number(new URL(app.baseUrl).port));
  const { child, origin } = await startStorefront(`http://127.0.0.1:${way.port}`);
  const browser: Browser = await startBrowser();
  return {
    app,
    origin,
    way,
    newPage: async (settings = {}) => {
      const context = await browser.newContext({
        locale: 'en-US',
        viewport: { width: 1_440, height: 900 },
        // Without motion: each frame of it would be drawn.
        reducedMotion: 'reduce',
        ...settings,
      });
      context.setDefaultTimeout(90_000);
      if (settings.javaScriptEnabled !== false) await context.addInitScript({ content: axe.source });
      return watch(await context.newPage(), origin);
    },
    close: async () => {
      await browser.close();
      if (child.exitCode === null) {
        child.kill('SIGKILL'); // it has nothing to save
        await once(child, 'exit');
      }
      await way.cut();
      await app.close();
    },
  };
}
