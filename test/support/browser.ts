import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

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
