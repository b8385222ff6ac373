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
});

afterAll(async () => {
  await scene?.close();
});

/**
 * Finds rings around what has the focus that are not drawn, are cut off by what scrolls or clips around them, or stand out too
 * little from their ground: one element of each kind and place in its row.
 */
const ringFaults = `(within) => {
  const kinds = new Map();
  for (const one of document.querySelector(within).querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')) {
    if (!one.checkVisibility() || one.disabled) continue;
    const place = [one.previousElementSibling, one.nextElementSibling].map(Boolean).join();
    kinds.set([one.tagName, one.type, one.className, one.parentElement.className, place].join(), one);
  }
  const painter = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const channelsOf = (color) => {
    painter.clearRect(0, 0, 1, 1);
    painter.fillStyle = color;
    painter.fillRect(0, 0, 1, 1);
    return [...painter.getImageData(0, 0, 1, 1).data];
  };
  const lightOf = (color) => {
    const [red, green, blue] = channelsOf(color).map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [low, high] = [lightOf(one), lightOf(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (channelsOf(backgroundColor)[3] === 255) return backgroundColor;
    }
    return getComputedStyle(document.documentElement).backgroundColor;
  };
  const tolerance = 0.6;
  const cutOf = (drawn, reach) => {
    const { left, top, right, bottom } = drawn.getBoundingClientRect();
    for (let around = drawn.parentElement; around && around !== document.documentElement; around = around.parentElement) {
      const style = getComputedStyle(around);
      const place = around.getBoundingClientRect();
      const [x, y] = [place.left + around.clientLeft, place.top + around.clientTop];
      const overX = Math.max(x - left, right - x - around.clientWidth) + reach;
      const overY = Math.max(y - top, bottom - y - around.clientHeight) + reach;
      const isContained = style.contain !== 'none' && /paint|strict|content/.test(style.contain);
      // What is larger than its place is scrolled: its ends come into view there.
      const cutsX = (style.overflowX !== 'visible' || isContained) && right - left < around.clientWidth + tolerance;
      const cutsY = (style.overflowY !== 'visible' || isContained) && bottom - top < around.clientHeight + tolerance;
      const margin = style.overflowX === 'clip' ? Number.parseFloat(style.overflowClipMargin) || 0 : 0;
      if (cutsX && overX > tolerance + margin) return overX.toFixed(1) + ' px at a side, by ' + around.className;
      if (cutsY && overY > tolerance + margin) return overY.toFixed(1) + ' px above or below, by ' + around.className;
      if (style.position === 'fixed') return null;
    }
    return null;
  };
  const faults = [];
  for (const one of kinds.values()) {
    one.focus();
    if (document.activeElement !== one) continue;
    const drawn = one.getBoundingClientRect().width > 4 ? one : (one.closest('label') ?? one);
    const name = one.outerHTML.slice(0, 120);
    const { outlineStyle, outlineWidth, outlineOffset, outlineColor } = getComputedStyle(drawn);
    if (outlineStyle !== 'solid' || outlineWidth !== '2px') {
      faults.push('none: ' + name);
      continue;
    }
    const offset = Number.parseFloat(outlineOffset);
    const ratio = contrast(outlineColor, groundOf(offset < 0 ? drawn : drawn.parentElement));
    if (ratio < 3) faults.push('contrast ' + ratio.toFixed(1) + ': ' + name);
    drawn.scrollIntoView({ block: 'center', inline: 'nearest' });
    const cut = cutOf(drawn, offset + 2);
    if (cut) faults.push('cut off ' + cut + ': ' + name);
  }
  return faults;
}`;

/** A key is pressed first, so that the browser shows where the focus is. */
async function ringFaultsIn(within: string): Promise<string[]> {
  await page.keyboard.press('Shift');
  return page.evaluate<string[]>(`(${ringFaults})(${JSON.stringify(within)})`);
}

/** The sizes of all text that is drawn. */
const sizesOfText = () =>
  page.evaluate<string[]>(`(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const sizes = new Set();
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (text.data.trim() && text.parentElement.checkVisibility()) sizes.add(getComputedStyle(text.parentElement).fontSize);
    }
    return [...sizes].sort();
  })()`);

const openMenus = () => page.evaluate("for (const menu of document.querySelectorAll('main details')) menu.open = true");

describe.each([
  ['light', 1440],
  ['dark', 390],
  ['dark', 2560],
] as const)('in the %s theme, %i pixels wide', (colorScheme, width) => {
  beforeAll(async () => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
  });

  it('every screen draws whole rings around what has the focus, and text in three sizes', async () => {
    const faults: Record<string, string[]> = {};
    for (const { path } of screens) {
      await goTo(page, addressOf(path));
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      const others = (await sizesOfText()).filter((size) => !['12px', '14px', '20px'].includes(size));
      await openMenus();
      const found = [...others, ...(await ringFaultsIn('body'))];
      if (found.length > 0) faults[path] = found;
    }
    expect(faults).toEqual({});
  });
});

describe('in the dark theme', () => {
  beforeAll(async () => {
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it.each(drawers)('what the %s %s of %s opens draws whole rings around what has the focus', async (...opening) => {
    await goTo(page, addressOf(opening[2]));
    const drawer = await openBy(page, opening);
    expect(await ringFaultsIn('dialog[open]')).toEqual([]);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });

  it('a chart tells the values at the pointer beside it, within the window', async () => {
    await goTo(page, 'shop');
    const chart = page.getByRole('region', { name: 'Revenue' }).getByRole('figure');
    const box = await chart.locator('.u-over').boundingBox();
    if (!box) throw new Error('There is no chart');
    for (const share of [0.05, 0.95]) {
      const x = box.x + box.width * share;
      await page.mouse.move(x, box.y + box.height / 2);
      const tip = chart.getByText(/, 30 days before\$/).last();
      const place = await tip.boundingBox();
      if (!place) throw new Error('The chart tells nothing');
      const [left, right] = [place.x, place.x + place.width];
      expect(Math.min(Math.abs(left - x), Math.abs(right - x))).toBeLessThan(40);
      expect(left).toBeGreaterThan(box.x - 60);
      expect(right).toBeLessThan(box.x + box.width + 20);
    }
  });
});

describe('on a slow line', () => {
  /** Opens a screen for the first time, whose answers to a request wait until they are let go. */
  async function openSlowly(path: string, request: RegExp): Promise<() => Promise<void>> {
    await page.setViewportSize({ width: 1440, height: 900 });
    let letGo = () => {};
    const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
    await page.route(request, async (route) => {
      await isLetGo;
      await route.continue();
    });
    await Promise.all([page.waitForRequest(request), page.goto(`${scene.app.baseUrl}/console/${path}`)]);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    return async () => {
      letGo();
      await page.unrouteAll({ behavior: 'wait' });
    };
  }
  const loading = () => page.getByRole('main').getByRole('status', { name: 'Loading' }).first();

  it.each([
    ['shop/orders', /admin\/orders\/?\?/],
    ['shop/products', /admin\/products\/?\?/],
    ['scanning/scans', /v1\/scans\/?\?/],
    ['scanning/issues', /v1\/issues\/?\?/],
  ])('%s has the outline of its table where the table will be', async (path, request) => {
    const letGo = await openSlowly(path, request);
    await loading().waitFor();
    const [outline, row] = [await loading().boundingBox(), loading().locator('> div')];
    const lines = await row.count();
    await letGo();
    const table = page
      .getByRole('main')
      .locator('.card')
      .filter({ has: page.getByRole('grid') });
    await table.waitFor();
    const place = await table.boundingBox();
    if (!outline || !place) throw new Error('Nothing was shown');
    expect(lines).toBeGreaterThan(5);
    expect(Math.abs(outline.width - place.width)).toBeLessThan(3);
    expect([outline.x - place.x, outline.y - place.y].every((pixels) => Math.abs(pixels) < 3)).toBe(true);
  });

  it.each([
    ['shop/settings', /admin\/shop/, 'fields', 28],
    ['shop/orders/:id', /v1\/orders\/\d+$/, 'facts', 11],
    ['shop', /admin\/stats\/series/, 'a chart', 140],
  ])('%s has the outline of what %s answers: %s', async (path, request, _, height) => {
    const letGo = await openSlowly(addressOf(path), request);
    await loading().waitFor();
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('main [aria-label=Loading] div:not(:has(*))')].map((bar) => bar.offsetHeight)`,
    );
    expect(Math.max(...heights)).toBe(height);
    await letGo();
  });
});
