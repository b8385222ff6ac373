import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../scripts/packed-chromium.js';

/**
 * A name of this machine that browsers do not trust like loopback: to them, its pages are served without encryption.
 */
export const plainHost = 'console.test';
const named = `--host-resolver-rules=MAP ${plainHost} 127.0.0.1`;

/** Options of the packed Chromium that are omitted: with them it isolates pages less than people's browsers do. */
const notAsPeopleHaveIt =
  /^--(headless|single-process|no-zygote|lang|user-agent|disable-web-security|disable-site-isolation|allow-running-insecure)/;

/** As scripts/test.mjs has it: pages live for seconds. Saves a tenth of the browser's processor time. */
const brief = '--js-flags=--single-threaded-gc --min-semi-space-size=8 --interrupt-budget=500000';

export const startBrowser = (): Promise<Browser> => launchBrowser({ leftOut: notAsPeopleHaveIt, more: [named, brief] });
