// Pictures of the shop front with the demo data, from a running service (STORE_API_URL): `node scripts/storefront-pictures.mjs`
// makes that of README, with `--all FOLDER` one of each page, from a phone to 4K, light and dark.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import './ts-loader.mjs';

const { startBrowser } = await import('../test/support/browser.ts');
const shop = process.env.STORE_API_URL ?? 'http://127.0.0.1:3000';
const at = process.argv.indexOf('--all');
const all = at > 0 ? process.argv[at + 1] : undefined;

const places = {
  home: '/',
  category: '/c/kitchen-and-table',
  narrowed: '/c/clothing?color=Navy&sort=price',
  search: '/search?q=mug',
  nothing: '/search?q=zzzzzz',
  product: '/p/stoneware-mug',
  'sold-out': '/p/airtight-storage-jar',
  cart: '/cart',
  login: '/login',
  register: '/register',
  offline: '/offline',
  lost: '/no/such/page',
};

async function open(page, path) {
  await page.goto(shop + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Pictures further down are asked for when they come near.
  await page.evaluate(`(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 600) {
      scrollTo(0, y);
      await new Promise(requestAnimationFrame);
    }
    scrollTo(0, 0);
  })()`);
  await page.waitForLoadState('networkidle', { timeout: 15_000 }).catch(() => undefined);
}

async function pictureAll(browser, folder) {
  mkdirSync(folder, { recursive: true });
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && console.log(`console: ${message.text()}`));
  page.on('pageerror', (error) => console.log(`error: ${error.message}`));
  for (const [name, path] of Object.entries(places)) {
    for (const width of [360, 390, 768, 1440, 2560, 3840]) {
      for (const colorScheme of ['light', 'dark']) {
        await page.setViewportSize({ width, height: Math.round(width < 600 ? width * 2.1 : width * 0.625) });
        await page.emulateMedia({ colorScheme });
        await open(page, path);
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      }
      const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      if (over > 0) console.log(`${name} at ${width}: ${over} px too wide`);
    }
  }
}

/** The picture of README. */
async function pictureReadme(browser) {
  const folder = new URL('../docs/pictures/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1280, height: 1040 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await open(page, '/');
  await sharp(await page.screenshot())
    .png({ palette: true, quality: 90 })
    .toFile(new URL('shop-front.png', folder).pathname);
}

const browser = await startBrowser();
try {
  if (all) await pictureAll(browser, all);
  else await pictureReadme(browser);
} finally {
  await browser.close();
}
