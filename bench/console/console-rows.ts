import type { Arena } from '../arena.js';
import { barOf, taking } from '../bar-contender.js';
import type { BenchRow, Measurement } from '../bench-row.js';
import type { Side } from '../contestants.js';
import { smokePace } from '../pace.js';
import { benchId, organizationId } from '../scanning/fill-organization.js';
import { startBrowser } from './browser.js';
import { firstContentMs } from './first-content.js';
import { longestFrameMs, openEvents, showRows, signIn } from './frames.js';

const side: Side = { kind: 'service', database: 'few_events' };
const eventsOfAppend = 20;
const firstContentBarMs = 1_000;
const frameBarMs = 50;

const adminsSql = `
INSERT INTO organization_members (organization_id, user_id, role)
SELECT '${organizationId}', id, 'admin' FROM users WHERE username = 'admin' ON CONFLICT DO NOTHING`;

async function measureFrames(arena: Arena, events: number, wheels: number): Promise<Measurement> {
  const { baseUrl, asOrganization } = await arena.contestant(side);
  const lines = Array.from({ length: eventsOfAppend }, (_, n) => ({
    title: `Arrival ${n}`,
    description: '',
    level: 'INFO',
    stage: 'EXECUTION',
  }));
  const append = async () => {
    const response = await fetch(`${baseUrl}/api/v1/scans/${benchId('scan', 0)}/events`, {
      method: 'POST',
      headers: { ...asOrganization, 'content-type': 'application/json' },
      body: JSON.stringify(lines),
    });
    if (!response.ok) throw new Error(`An append answered ${response.status}: ${await response.text()}`);
  };
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1440, height: 900 } });
    await signIn(page, baseUrl);
    // The service makes its first admin after its start, so wait until the sign-in works.
    await (await arena.database(side.database)).query(adminsSql);
    await openEvents(page, baseUrl);
    await showRows(page, events);
    return taking(await longestFrameMs(browser, page, { wheels, append }));
  } finally {
    await browser.close();
  }
}

async function measureFirstContent(arena: Arena): Promise<Measurement> {
  const { baseUrl } = await arena.contestant(side);
  const browser = await startBrowser();
  try {
    return taking(await firstContentMs(browser, baseUrl));
  } finally {
    await browser.close();
  }
}

/** Each round starts a new browser, so there is nothing to warm up. */
export const consoleRows: BenchRow[] = [
  {
    name: 'console-frames',
    group: 'console',
    what: 'the longest frame while all events of a list are scrolled and followed, at processor ÷ 4',
    connections: 1,
    unit: 'frames',
    first: {
      name: 'console',
      measure: async (arena, pace, isWarmUp) =>
        isWarmUp ? taking(frameBarMs) : measureFrames(arena, pace.sizes.fewEvents, pace === smokePace ? 5 : 40),
    },
    second: barOf(frameBarMs),
    bar: 1,
  },
  {
    name: 'console-first-content',
    group: 'console',
    what: 'the first content at 1.6 Mbit/s, 150 ms and processor ÷ 4',
    connections: 1,
    unit: 'pages',
    first: {
      name: 'console',
      measure: async (arena, _pace, isWarmUp) => (isWarmUp ? taking(firstContentBarMs) : measureFirstContent(arena)),
    },
    second: barOf(firstContentBarMs),
    bar: 1,
  },
];
