import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { admin, type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';
import { drawers, openBy } from './openings.js';
import { addressesIn, screens } from './screens.js';

let scene: ConsoleScene;
let page: Page & { faults: string[] };
let addressOf: (path: string) => string;

beforeAll(async () => {
  scene = await startConsoleScene();
  addressOf = await addressesIn(scene.app);
  page = await scene.signIn(admin);
  await page.emulateMedia({ forcedColors: 'active' });
});

afterAll(async () => {
  await scene?.close();
});

/**
 * Elements that take the focus without showing it, one of each kind, by tag; hidden ones show it by the label that stands for
 * them. A key is pressed first, so that the browser shows where the focus is.
 */
async function unseenFocus(within: string): Promise<string[]> {
  await page.keyboard.press('Tab');
  return page.evaluate<string[]>(
    `(() => {
       const isShown = (one) => {
         const { outlineStyle, outlineWidth } = getComputedStyle(one);
         return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
       };
       const kinds = new Map();
       for (const one of document.querySelector(${JSON.stringify(within)}).querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')) {
         if (one.checkVisibility() && !one.disabled) kinds.set(one.tagName + one.type + one.className, one);
       }
       const unseen = [];
       for (const one of kinds.values()) {
         one.focus();
         const drawn = one.getBoundingClientRect().width > 4 ? one : (one.closest('label') ?? one);
         if (document.activeElement === one && !isShown(drawn)) unseen.push(one.outerHTML.slice(0, 120));
       }
       return unseen;
     })()`,
  );
}

/** Chosen options that look as if they were not. */
const unseenStates = () =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('[aria-current], [aria-pressed=true], [aria-selected=true]')]
       .filter((one) => one.checkVisibility() && getComputedStyle(one).outlineStyle !== 'solid')
       .map((one) => one.outerHTML.slice(0, 120))`,
  );

describe('When the system chooses the colors', () => {
  it('every screen shows where the focus is, and what is chosen', async () => {
    const unseen: Record<string, string[]> = {};
    for (const { path } of screens) {
      await goTo(page, addressOf(path));
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      const found = [...(await unseenStates()), ...(await unseenFocus('body'))];
      if (found.length > 0) unseen[path] = found;
    }
    expect(unseen).toEqual({});
  });

  it.each(drawers)('what the %s %s of %s opens shows where the focus is', async (...opening) => {
    await goTo(page, addressOf(opening[2]));
    const drawer = await openBy(page, opening);
    expect(await unseenFocus('dialog[open]')).toEqual([]);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });
});
