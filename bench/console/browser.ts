import chromium from '@sparticuz/chromium';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';

/** A real browser: the machine's own where `CHROME_PATH` says where it is, else the packed Chromium (Linux, x64). */
export async function startBrowser(): Promise<Browser> {
  const own = process.env['CHROME_PATH'];
  if (own) return playwright.launch({ executablePath: own, args: ['--no-sandbox'] });
  chromium.setGraphicsMode = false;
  const args = chromium.args.filter(
    (argument) => !/^--(headless|single-process|no-zygote|lang|user-agent)/.test(argument),
  );
  return playwright.launch({ executablePath: await chromium.executablePath(), args, headless: true });
}

/** Lets the page's processor work so many times slower. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** Lets the page's line send and take so many bits a second, each round trip so much later. */
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
