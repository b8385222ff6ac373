import type { Browser } from 'playwright-core';
import { slowDown, slowLine } from './browser.js';

const bitsPerSecond = 1_600_000;
const latencyMs = 150;
const slower = 4;

/** Milliseconds from the request for the first screen to its first content, with nothing cached. */
export async function firstContentMs(browser: Browser, baseUrl: string): Promise<number> {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await slowLine(page, bitsPerSecond, latencyMs);
  await slowDown(page, slower);
  await page.goto(`${baseUrl}/console/`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const ms = await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  await context.close();
  return ms;
}
