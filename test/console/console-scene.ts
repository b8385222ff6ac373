import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { FirstAdminService } from '../../src/store/accounts/first-admin.service.js';
import type { InsertedUser } from '../support/accounts.js';
import { startBrowser } from '../support/browser.js';
import '../support/built-service.js';
import { admin, withDemoData } from '../support/demo-template.js';
import { giveUpJob, noteRequest } from '../support/operation-traces.js';
import { beginSession } from '../support/sessions.js';
import { startTestApp, type TestApp, type TestAppChoices } from '../support/test-app.js';

export { admin };

export interface ConsoleScene {
  app: TestApp;
  /**
   * Opens the console in a browser of its own, at another address if one is given, and signs in. Errors on the page are
   * gathered in `faults`.
   */
  signIn(account: { username: string; password: string }, origin?: string): Promise<Page & { faults: string[] }>;
  /** Opens an address in a browser of its own, where nobody is signed in. */
  visit(address: string): Promise<Page & { faults: string[] }>;
  /** The same as `signIn`, at a screen, with a session that was begun without the form, in a browser with these settings. */
  open(user: InsertedUser, path?: string, settings?: BrowserContextOptions): Promise<Page & { faults: string[] }>;
  close(): Promise<void>;
}

/** A page that is not signed in asks for its session and is refused: the browser reports that as an error. */
const expected = /\/api\/v1\/auth\/refresh$/;

function watch(page: Page, origin: string): Page & { faults: string[] } {
  const faults: string[] = [];
  page.on('pageerror', (error) => {
    faults.push(error.message);
    console.error(error.stack);
  });
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && new URL(request.url()).origin !== origin) faults.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.location().url)) faults.push(message.text());
  });
  return Object.assign(page, { faults });
}

/** What a day of use leaves for an operator: a request that was refused, and a job that was given up. */
async function leaveTraces(app: TestApp): Promise<void> {
  await noteRequest(app, 'cart-17');
  await giveUpJob(app, 'printing');
}

/** The console with the demo's data unless the settings leave it out, an admin, and one browser. */
export async function startConsoleScene(choices: TestAppChoices = {}): Promise<ConsoleScene> {
  const isEmpty = choices.env?.['DEMO_DATA'] === 'false';
  const app = await startTestApp(isEmpty ? choices : await withDemoData(choices));
  if (isEmpty) await app.nest.get(FirstAdminService).ensure(admin);
  else await leaveTraces(app);
  const browser: Browser = await startBrowser();
  const newContext = async (settings: BrowserContextOptions = {}) => {
    // Without motion: each frame of it would be drawn.
    const context = await browser.newContext({
      locale: 'en-US',
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      ...settings,
    });
    context.setDefaultTimeout(90_000);
    return context;
  };
  return {
    app,
    open: async (user, path = '', settings = {}) => {
      const { refresh } = await beginSession(app, user, 'Chromium');
      const context = await newContext(settings);
      const cookie = { name: 'store_refresh', value: refresh, httpOnly: true, sameSite: 'Strict' } as const;
      await context.addCookies([{ ...cookie, domain: new URL(app.baseUrl).hostname, path: '/api/v1/auth' }]);
      const page = watch(await context.newPage(), app.baseUrl);
      await page.goto(`${app.baseUrl}/console/${path}`);
      await page.getByRole('navigation', { name: /^(Screens|Seiten)$/ }).waitFor();
      return page;
    },
    visit: async (address) => {
      const page = watch(await (await newContext()).newPage(), app.baseUrl);
      await page.goto(address);
      return page;
    },
    signIn: async ({ username, password }, origin = app.baseUrl) => {
      const page = watch(await (await newContext()).newPage(), origin);
      await page.goto(`${origin}/console/`);
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('navigation', { name: 'Screens' }).waitFor();
      return page;
    },
    close: async () => {
      await browser.close();
      await app.close();
    },
  };
}

/** What a page has of its own. */
interface PageView {
  history: { pushState(state: null, title: string, address: string): void };
  dispatchEvent(event: Event): boolean;
}

/** Goes to a screen as a link does, without reloading the page. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    const view = globalThis as unknown as PageView;
    view.history.pushState(null, '', `/console/${address}`);
    view.dispatchEvent(new Event('popstate'));
  }, path);
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

/** The rules that read colors: a theme changes only their findings. */
export const rulesOfColors = ['color-contrast', 'link-in-text-block'];

/** What axe finds in the current theme, by all its rules or by some: on the page, or within what a selector finds. */
export async function violationsOf(page: Page, within?: string, rules?: string[]): Promise<string[]> {
  // Only pages that it looks at pay for it. As text: a page's policy allows only its own scripts.
  if (await page.evaluate<boolean>('globalThis.axe === undefined')) await page.evaluate(axe.source);
  return page.evaluate(
    async ([selector, ids]) => {
      const options: axe.RunOptions = { resultTypes: ['violations'], ...(ids ? { runOnly: ids } : {}) };
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      const { violations } = await (selector === undefined ? run(options) : run(selector, options));
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
    },
    [within, rules] as const,
  );
}

/** Waits until no color on the page is changing: axe would read one in between. */
const shown = `(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const isEnding = ({ effect }) => effect.getComputedTiming().endTime < Infinity;
  for (let still = 0; still < 3; still++) {
    await frame();
    if (document.getAnimations().some(isEnding)) still = -1;
  }
})()`;
export const colorsShown = (page: Page): Promise<unknown> => page.evaluate(shown);

const themes = ['light', 'dark'] as const;

/**
 * The same with all rules in the light theme, and with those for colors in the dark one; first in the theme that the page
 * has, since each change of it draws the page anew.
 */
export async function violationsInBothThemes(page: Page, within?: string): Promise<string[]> {
  const found: string[] = [];
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  for (const colorScheme of isDark ? themes.toReversed() : themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor({ state: 'attached' });
    await colorsShown(page);
    const violations = await violationsOf(page, within, colorScheme === 'dark' ? rulesOfColors : undefined);
    found.push(...violations.map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}
