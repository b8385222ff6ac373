import chromium from '@sparticuz/chromium';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';

/** A real browser: the one at `CHROME_PATH`, else the packaged Chromium (Linux, x64). */
export async function startBrowser(): Promise<Browser> {
  const own = process.env['CHROME_PATH'];
  if (own) return playwright.launch({ executablePath: own, args: ['--no-sandbox'] });
  chromium.setGraphicsMode = false;
  const args = chromium.args.filter(
    (argument) => !/^--(headless|single-process|no-zygote|lang|user-agent)/.test(argument),
  );
  return playwright.launch({ executablePath: await chromium.executablePath(), args, headless: true });
}

/** Slows the page's processor down by this factor. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** Limits the page's network to this bandwidth and latency. */
export async function slowLine(page: Page, bitsPerSecond: number, latency: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const throughput = bitsPerSecond / 8;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
}
