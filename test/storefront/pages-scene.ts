import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { colorsShown, rulesOfColors, violationsOf } from '../console/console-scene.js';
import { startBrowser } from '../support/browser.js';
import '../support/built-service.js';
import { withDemoData } from '../support/demo-template.js';
import { startStorefront } from '../support/storefront-process.js';
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
  const storefront = await startStorefront(`http://127.0.0.1:${way.port}`);
  const { origin } = storefront;
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
      return watch(await context.newPage(), origin);
    },
    close: async () => {
      await browser.close();
      await storefront.close();
      await way.cut();
      await app.close();
    },
  };
}

/** One after the other changes one thing: each change draws the page anew. */
const looks = [
  [390, 'light'],
  [390, 'dark'],
  [1_440, 'dark'],
  [1_440, 'light'],
] as const;

/**
 * What axe finds on a page, on a phone and on a desk: by all rules in the light theme, and by those for colors in the
 * dark one, which changes nothing else.
 */
export async function violationsInAllLooks(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await colorsShown(page);
    const violations = await violationsOf(page, undefined, colorScheme === 'dark' ? rulesOfColors : undefined);
    found.push(...violations.map((one) => `${width} ${colorScheme}: ${one}`));
  }
  return found;
}
