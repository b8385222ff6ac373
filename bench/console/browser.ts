import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../scripts/packed-chromium.js';

const leftOut = /^--(headless|single-process|no-zygote|lang|user-agent)/;

export const startBrowser = (): Promise<Browser> => launchBrowser({ leftOut });

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
