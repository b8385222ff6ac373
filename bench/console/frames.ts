import type { Browser, Locator, Page } from 'playwright-core';
import { slowDown } from './browser.js';

const slower = 4;
const wheelPixels = 3_000;

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  dur?: number;
  args?: { name?: string };
}

/** The longest task of the page's main thread, in milliseconds: a frame is late by as much. */
function longestTaskMs(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`));
  if (tasks.length === 0) throw new Error('The trace has no task of the page');
  return tasks.reduce((longest, { dur = 0 }) => Math.max(longest, dur), 0) / 1_000;
}

export async function signIn(page: Page, baseUrl: string): Promise<void> {
  await page.goto(`${baseUrl}/console/`);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password').fill('bench-admin-password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
}

export async function openEvents(page: Page, baseUrl: string): Promise<void> {
  await page.goto(`${baseUrl}/console/scanning/events`);
  await page.getByRole('button', { name: 'Show older events' }).waitFor();
}

/** Loads older events until there are this many rows. */
export async function showRows(page: Page, count: number): Promise<void> {
  await page.evaluate(`(async () => {
    const rows = () => Number(document.querySelector('[role=grid]').getAttribute('aria-rowcount')) - 1;
    const older = () => [...document.querySelectorAll('button')].find((one) => one.textContent.includes('Show older'));
    while (rows() < ${count} && older()) {
      const before = rows();
      older().click();
      while (rows() === before) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })()`);
}

async function centerOf(thing: Locator): Promise<{ x: number; y: number }> {
  const box = await thing.boundingBox();
  if (!box) throw new Error('What is to be pointed at is not shown');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The longest frame while the list is scrolled from its top to its end, then followed while events arrive. */
export async function longestFrameMs(
  browser: Browser,
  page: Page,
  { wheels, append }: { wheels: number; append: () => Promise<void> },
): Promise<number> {
  // Located before the measurement: finding an element by its role takes the page longer than a frame.
  const followAt = await centerOf(page.getByRole('button', { name: 'Follow', exact: true }));
  const listAt = await centerOf(page.getByRole('grid', { name: 'Events' }).getByRole('row').nth(5));
  await slowDown(page, slower);
  await page.mouse.move(listAt.x, listAt.y);
  await browser.startTracing(page, { categories: ['__metadata', 'disabled-by-default-devtools.timeline'] });
  const jump = (to: string) => page.evaluate(`document.querySelector('[role=grid]').parentElement.scrollTop = ${to}`);
  for (let wheel = 0; wheel < wheels; wheel++) await page.mouse.wheel(0, wheelPixels);
  await jump('1e9');
  for (let wheel = 0; wheel < wheels; wheel++) await page.mouse.wheel(0, -wheelPixels);
  await jump('0');
  await page.mouse.click(followAt.x, followAt.y);
  await page.locator('main [role=status]', { hasText: 'Following' }).waitFor();
  await page.mouse.move(listAt.x, listAt.y);
  for (let wheel = 0; wheel < wheels; wheel++) {
    await append();
    await page.mouse.wheel(0, wheel % 2 === 0 ? wheelPixels : -wheelPixels);
  }
  return longestTaskMs(await browser.stopTracing());
}
