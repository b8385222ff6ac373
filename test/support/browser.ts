import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** A name of this machine that browsers do not trust as they trust loopback: to them, its pages come without encryption. */
export const plainHost = 'console.test';
const named = `--host-resolver-rules=MAP ${plainHost} 127.0.0.1`;

/** What the packed Chromium is started with elsewhere: it would keep pages apart less than browsers of people do. */
const notAsPeopleHaveIt =
  /^--(headless|single-process|no-zygote|lang|user-agent|disable-web-security|disable-site-isolation|allow-running-insecure)/;

/** A real browser: the machine's own where `CHROME_PATH` says where it is, else the packed Chromium (Linux, x64). */
export async function startBrowser(): Promise<Browser> {
  const own = process.env['CHROME_PATH'];
  if (own) return playwright.launch({ executablePath: own, args: ['--no-sandbox', named] });
  chromium.setGraphicsMode = false;
  const args = chromium.args.filter((argument) => !notAsPeopleHaveIt.test(argument));
  return playwright.launch({ executablePath: await chromium.executablePath(), args: [...args, named], headless: true });
}
