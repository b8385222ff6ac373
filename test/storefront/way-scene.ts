import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { startBrowser } from '../support/browser.js';
import '../support/built-service.js';
import { withDemoData } from '../support/demo-template.js';
import { until } from '../support/receiver.js';
import { startTestApp, type TestApp, type TestAppChoices } from '../support/test-app.js';

export interface WayScene {
  app: TestApp;
  /** A page of a browser of its own; errors on it are gathered in `faults`. */
  visit(settings?: BrowserContextOptions): Promise<Page & { faults: string[] }>;
  close(): Promise<void>;
}

/** The service with its shop front at `/`, the demo's data, and one browser. */
export async function startWayScene(env: Record<string, string> = {}): Promise<WayScene> {
  return startPlainWayScene(await withDemoData({ env }));
}

/** The same with what one says instead of the demo's data. */
export async function startPlainWayScene({ env, ...choices }: TestAppChoices): Promise<WayScene> {
  const app = await startTestApp({ ...choices, env: { STOREFRONT: 'true', ...env } });
  const browser: Browser = await startBrowser();
  return {
    app,
    visit: async (settings = {}) => {
      const plain = { locale: 'en-US', viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' as const };
      const context = await browser.newContext({ baseURL: app.baseUrl, ...plain, ...settings });
      context.setDefaultTimeout(90_000);
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', ({ message }) => faults.push(message));
      page.on('console', (message) => {
        // A form that is refused is answered with the status of the refusal, which the browser reports.
        const isRefusal = /status of (400|401|404|409|422|503)/.test(message.text());
        if (message.type() === 'error' && !isRefusal) faults.push(`${message.text()} ${message.location().url}`);
      });
      return Object.assign(page, { faults });
    },
    close: async () => {
      await browser.close();
      await app.close();
    },
  };
}

/** Signs in with the form of the login. */
export async function signInAt(
  page: Page,
  { username, password }: { username: string; password: string },
): Promise<void> {
  await page.getByLabel(/^(Username|Benutzername)/).fill(username);
  await page.getByLabel(/^(Password|Passwort)/).fill(password);
  await page.getByRole('button', { name: /^(Sign in|Anmelden)$/ }).click();
}

const address = {
  'First name': 'Ada',
  'Last name': 'Lovelace',
  'Street and number': '1 Quay',
  Postcode: '04101',
  City: 'Portland',
};

export async function typeAddress(page: Page, labels: Record<string, string> = address): Promise<void> {
  for (const [label, value] of Object.entries(labels)) await page.getByLabel(label, { exact: true }).fill(value);
}

/** The number of the order whose page is shown. */
export const orderIn = (page: Page): number => Number(/\/orders\/(\d+)/.exec(page.url())?.[1] ?? 0);

/** Waits until all of a part is in the window, without anybody scrolling. */
export async function isSeenWhole(part: Locator): Promise<void> {
  await part.waitFor();
  const height = part.page().viewportSize()?.height ?? 0;
  await until(async () => {
    const box = await part.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= height;
  }, 'all of a part in the window');
}
