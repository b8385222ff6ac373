import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** A name of this machine that browsers do not trust like loopback: to them, its pages are served without encryption. */
export const plainHost = 'console.test';
const named = `--host-resolver-rules=MAP ${plainHost} 127.0.0.1`;

/** Options of the packed Chromium that are left out: with them it isolates pages less than people's browsers do. */
const notAsPeopleHaveIt =
  /^--(headless|single-process|no-zygote|lang|user-agent|disable-web-security|disable-site-isolation|allow-running-insecure)/;

/** A real browser: the machine's own if `CHROME_PATH` gives its path, else the packed Chromium (Linux, x64). */
export async function startBrowser(): Promise<Browser> {
  const own = process.env['CHROME_PATH'];
  if (own) return playwright.launch({ executablePath: own, args: ['--no-sandbox', named] });
  chromium.setGraphicsMode = false;
  const args = chromium.args.filter((argument) => !notAsPeopleHaveIt.test(argument));
  return playwright.launch({ executablePath: await chromium.executablePath(), args: [...args, named], headless: true });
}
