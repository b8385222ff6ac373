// Pictures of the console with the demo data, from a running service (STORE_API_URL, ADMIN_PASSWORD):
// `node scripts/console-pictures.mjs` makes the two of README, with `--all FOLDER` one of each screen, wide and narrow, light and dark.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import './ts-loader.mjs';

const { startBrowser } = await import('../test/support/browser.ts');
const service = process.env.STORE_API_URL ?? 'http://127.0.0.1:3000';
const password = process.env.ADMIN_PASSWORD;
const at = process.argv.indexOf('--all');
const all = at > 0 ? process.argv[at + 1] : undefined;
const only = process.argv
  .slice(2)
  .find((argument, index, rest) => !argument.startsWith('--') && rest[index - 1] !== '--all');

async function call(token, path) {
  const response = await fetch(`${service}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function tokenOf() {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ username: 'admin', password });
  const response = await fetch(`${service}/api/v1/auth/login`, { method: 'POST', headers, body });
  return (await response.json()).access_token;
}

async function placesOf(token) {
  const first = async (path) => (await call(token, path)).data[0]?.id;
  const [order] = await call(token, 'admin/orders?limit=1');
  const [user] = await call(token, 'admin/users?limit=1');
  const [product] = await call(token, 'products/?limit=1');
  const scan = await first('scans/?size=1&statuses=FINISHED');
  const workflow = await first('workflows/?size=1');
  const [issue, asset, event] = [
    await first('issues/?size=1'),
    await first('assets/?size=1'),
    await first('events/?size=1'),
  ];
  const delivery = await first('deliveries?size=1');
  return {
    shop: 'shop',
    orders: 'shop/orders',
    order: `shop/orders?order=${order.id}`,
    products: 'shop/products',
    product: `shop/products?product=${product.id}`,
    'product-new': 'shop/products?new=true',
    coupons: 'shop/coupons',
    'coupon-new': 'shop/coupons?new=true',
    customers: 'shop/customers',
    customer: `shop/customers?customer=${user.id}`,
    reviews: 'shop/reviews',
    testimonials: 'shop/testimonials',
    overview: 'scanning',
    events: 'scanning/events',
    event: `scanning/events?event=${event}`,
    scans: 'scanning/scans',
    import: 'scanning/scans?import=true',
    scan: `scanning/scans/${scan}`,
    issues: 'scanning/issues',
    issue: `scanning/issues?issue=${issue}`,
    assets: 'scanning/assets',
    asset: `scanning/assets/${asset}`,
    workflows: 'scanning/workflows',
    create: 'scanning/workflows/create',
    workflow: `scanning/workflows/${workflow}`,
    deliveries: `scanning/workflows/${workflow}/deliveries`,
    ...(delivery && { delivery: `scanning/workflows/${workflow}/deliveries?delivery=${delivery}` }),
    integrations: 'scanning/integrations',
    general: 'scanning/organization/general',
    members: 'scanning/organization/members',
    keys: 'scanning/organization/api-keys',
    'key-new': 'scanning/organization/api-keys?new=true',
    account: 'account',
    lost: 'no/such/page',
  };
}

async function signIn(page) {
  await page.goto(`${service}/console/`);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
}

async function open(page, place) {
  await page.goto(`${service}/console/${place}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page
    .getByRole('status', { name: 'Loading' })
    .first()
    .waitFor({ state: 'detached', timeout: 20_000 })
    .catch(() => undefined);
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
}

async function pictureAll(browser, folder) {
  mkdirSync(folder, { recursive: true });
  const places = Object.entries(await placesOf(await tokenOf())).filter(
    ([name]) => !only || only.split(',').includes(name),
  );
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && console.log(`console: ${message.text()}`));
  page.on('pageerror', (error) => console.log(`error: ${error.message}`));
  await page.goto(`${service}/console/`);
  await page.getByLabel('Username').waitFor();
  if (!only) await page.screenshot({ path: join(folder, 'login.png') });
  await signIn(page);
  for (const [name, place] of places) {
    console.log(name);
    await open(page, place);
    for (const [scheme, width] of [
      ['light', 1440],
      ['dark', 1440],
      ['dark', 390],
      ['light', 390],
    ]) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`) });
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (over > 0) console.log(`${name} at ${width}: ${over} px too wide`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }
}

/** The two pictures of README. */
async function pictureReadme(browser) {
  const folder = new URL('../docs/pictures/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const { issue } = await placesOf(await tokenOf());
  const wanted = [
    ['console-dashboard', 'shop', 'light'],
    ['console-issues', issue, 'dark'],
  ];
  for (const [name, place, colorScheme] of wanted) {
    const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 }, colorScheme });
    const page = await context.newPage();
    await signIn(page);
    await open(page, place);
    const picture = await page.screenshot();
    await sharp(picture)
      .png({ palette: true, quality: 90 })
      .toFile(new URL(`${name}.png`, folder).pathname);
    await context.close();
  }
}

const browser = await startBrowser();
try {
  if (all) await pictureAll(browser, all);
  else await pictureReadme(browser);
} finally {
  await browser.close();
}
