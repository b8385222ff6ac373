import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type InsertedUser, insertUser, signIn, signUp } from '../support/accounts.js';
import { violationsOf } from '../console/console-scene.js';
import { admin } from '../support/demo-template.js';
import { type PagesScene, startPagesScene, violationsInAllLooks, type WatchedPage } from './pages-scene.js';

let scene: PagesScene;
let page: WatchedPage;
let adminToken: string;
let reviewer: InsertedUser;

const longName = `${'כוס חרס מזוגגת בעבודת יד '.repeat(8).slice(0, 191)}</script>`;
const photo = fileURLToPath(new URL('../../packages/demo/pictures/photo-mug-blue.webp', import.meta.url));
const evil = 'Fine </script><script>document.title = "taken"</script>';

interface Made {
  id: number;
  slug: string;
}

/** Made once: a product whose name is as long as a name may be, and breaks out of whatever does not escape it. */
let named: Made;
let made = 0;
/** A slug that no other try of a test has. */
const slugOf = (name: string) => `${name}-${++made}`;

async function create(product: object): Promise<Made> {
  const json = { price: 12.5, stock: 3, ...product };
  const { status, body } = await scene.app.api.post<Made>('/api/v1/admin/products', { token: adminToken, json });
  if (status !== 201) throw new Error(`Creating a product answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

const at = (path: string) => `${scene.origin}${path}`;
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(at(path), { redirect: 'manual', headers: { 'accept-language': 'en', ...headers } });
const textOf = async (path: string, headers?: Record<string, string>) => (await get(path, headers)).text();

/** The structured data of a page, parsed as a search engine does. */
function structuredIn(html: string): Record<string, unknown>[] {
  const found = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs);
  return [...found].map(([, json = '']) => JSON.parse(json) as Record<string, unknown>);
}

/** Waits until the scripts of a page have taken it over. */
const lively = (one: WatchedPage) => one.locator('button[aria-label="One more"]:enabled').waitFor();

beforeAll(async () => {
  scene = await startPagesScene();
  adminToken = await signIn(scene.app, admin.username, admin.password);
  reviewer = await insertUser(scene.app, { first_name: '<b>Rita</b>' });
  named = await create({ name: longName });
  page = await scene.newPage();
});

afterEach(() => {
  expect(page.faults.splice(0)).toEqual([]);
});

afterAll(async () => {
  await scene?.close();
});

describe('The pages of the catalog', () => {
  const pages = [
    '/',
    '/c/kitchen-and-table',
    '/c/cups-and-plates?color=Blue&sort=price',
    '/search',
    '/search?q=mug',
    '/search?q=zzzzzz',
    '/p/stoneware-mug',
    '/offline',
  ];

  it.each(pages)(
    '%s fits a phone of 360 px, has targets that a finger hits, and nothing that axe finds, in both themes, on a phone and on a desk',
    async (path) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(at(path));
      await page.getByRole('heading', { level: 1 }).waitFor();
      const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate<number>(over)).toBe(0);
      const small = await page.evaluate<string[]>(
        `[...document.querySelectorAll('button, .button, input:not([type=radio], [type=checkbox], [type=hidden]), select, summary, nav a')]
         .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 4 && one.getBoundingClientRect().height < 44)
         .map((one) => one.outerHTML.slice(0, 120))`,
      );
      expect(small).toEqual([]);
      expect(await violationsInAllLooks(page)).toEqual([]);
    },
  );

  it('take at most 60 kB of JavaScript on the first page, compressed by gzip', async () => {
    const one = await scene.newPage();
    const scripts = new Set<string>();
    one.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.add(response.url());
    });
    await one.goto(at('/'), { waitUntil: 'networkidle' });
    const sizes = await Promise.all(
      [...scripts]
        .filter((address) => !address.endsWith('/service-worker.js'))
        .map(async (address) => {
          const { headers } = await fetch(address, { headers: { 'accept-encoding': 'gzip' } });
          expect(headers.get('content-encoding')).toBe('gzip');
          return Number(headers.get('content-length'));
        }),
    );
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.every((size) => size > 0)).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(60_000);
    await one.context().close();
  });

  it.each(['/', '/c/kitchen-and-table', '/p/stoneware-mug'])('%s stays where it is while it loads', async (path) => {
    const one = await scene.newPage({ viewport: { width: 390, height: 844 } });
    await one.addInitScript(`
      globalThis.shifted = 0;
      new PerformanceObserver((list) => {
        for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value;
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    await one.goto(at(path), { waitUntil: 'networkidle' });
    await one.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await one.waitForLoadState('networkidle');
    expect(await one.evaluate<number>('globalThis.shifted')).toBeLessThan(0.05);
    await one.context().close();
  });

  it('send a policy that lets only their own scripts run', async () => {
    const first = (await get('/')).headers.get('content-security-policy') ?? '';
    const second = (await get('/')).headers.get('content-security-policy') ?? '';
    expect(first).toMatch(/script-src 'self' 'nonce-[^']+'/);
    expect(first).not.toContain('unsafe-inline');
    expect(first).not.toContain('http');
    expect(second).not.toBe(first);
  });

  it('may be kept briefly by caches while they show nothing of a visitor', async () => {
    expect((await get('/p/stoneware-mug')).headers.get('cache-control')).toBe('public, max-age=0, s-maxage=30');
    const known = await get('/p/stoneware-mug', { cookie: 'theme=dark' });
    expect(known.headers.get('cache-control')).toBe('private, no-cache');
    expect(known.headers.get('vary')).toMatch(/cookie/i);
  });
});

describe('A list', () => {
  it('is narrowed and sorted by its address, at once with JavaScript', async () => {
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.goto(at('/c/cups-and-plates'), { waitUntil: 'networkidle' });
    await page.getByLabel('Blue').check();
    await page.waitForURL(/color=Blue/);
    await page.getByRole('link', { name: 'Remove Blue' }).waitFor();
    await page.getByLabel('Sort by').selectOption('-price');
    await page.waitForURL(/sort=-price/);
    expect(new URL(page.url()).searchParams.get('color')).toBe('Blue');
    const prices = page.locator('article data.price');
    await expectSorted(() => prices.evaluateAll((all) => all.map((one) => -Number(one.getAttribute('value')))));
    // The other colors can still be chosen.
    await page.getByLabel('Sage').check();
    await page.waitForURL(/color=Sage/);
    await page.getByRole('link', { name: 'Remove Sage' }).click();
    await page.waitForURL((url) => !url.searchParams.has('color'));
    expect(await page.getByRole('radio', { name: 'Any' }).first().isChecked()).toBe(true);
  });

  it('is narrowed and sorted without JavaScript too', async () => {
    const plain = await scene.newPage({ javaScriptEnabled: false });
    await plain.goto(at('/c/cups-and-plates'));
    const before = await plain.locator('article').count();
    await plain.getByLabel('Blue').check();
    await plain.getByLabel('Sort by').selectOption('price');
    await plain.getByRole('button', { name: 'Show', exact: true }).click();
    await plain.waitForURL(/color=Blue/);
    expect(new URL(plain.url()).searchParams.get('sort')).toBe('price');
    expect(await plain.locator('article').count()).toBeLessThan(before);
    const values = await plain
      .locator('article data.price')
      .evaluateAll((all) => all.map((one) => Number(one.getAttribute('value'))));
    expect(values).toEqual(values.toSorted((one, other) => one - other));
    await plain.getByRole('link', { name: 'Remove Blue' }).click();
    await plain.waitForURL((url) => !url.searchParams.has('color'));
    expect(await plain.locator('article').count()).toBe(before);
    await plain.context().close();
  });

  it('takes whatever its address says', async () => {
    const addresses = [
      '/search?page=-3&min_price=x&max_price=1e99&sort=%00&color=&in_stock=maybe',
      `/search?q=${'a'.repeat(3_000)}`,
      `/search?color=${'%F0%9F%8D%8E'.repeat(200)}`,
      '/search?min_price=3,5&max_price=20',
    ];
    for (const address of addresses) expect([address, (await get(address)).status]).toEqual([address, 200]);
    expect((await get('/search?q=mug&page=300')).headers.get('location')).toBe('/search?q=mug');
    expect((await get('/c/no-such-shelf')).status).toBe(404);
    expect((await get('/c/%20%00')).status).toBe(404);
  });

  it('says that nothing fits, and finds similar words', async () => {
    expect(await textOf('/search?q=zzzzzz')).toContain('Nothing here fits.');
    expect(await textOf('/search?q=teapott')).toContain('These come close.');
  });

  it('has the pages of a long list', async () => {
    const html = await textOf('/search');
    expect(html).toContain('href="/search?page=2"');
    expect(await textOf('/search?page=2')).toContain('rel="prev"');
  });
});

async function expectSorted(read: () => Promise<number[]>): Promise<void> {
  const values = await read();
  expect(values.length).toBeGreaterThan(1);
  expect(values).toEqual(values.toSorted((one, other) => one - other));
}

describe('A product', () => {
  it('leads to its variants, and says which are sold out', async () => {
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.goto(at('/p/round-belly-teapot'));
    await lively(page);
    const colors = page.getByRole('group', { name: /^Color/ });
    expect(await colors.getByRole('link').count()).toBe(3);
    await colors.getByRole('link', { name: 'Cream, Sold out' }).click();
    await page.getByText('Another color or size may be there.').waitFor();
    expect(await page.getByRole('button', { name: 'Add to cart' }).count()).toBe(0);
    await page
      .getByRole('group', { name: /^Color/ })
      .getByRole('link', { name: 'Charcoal' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Round-Belly Teapot, Charcoal' }).waitFor();
    await page.getByRole('button', { name: 'Add to cart' }).first().waitFor();
  });

  it('keeps its button at hand on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(at('/p/stoneware-mug'));
    const button = page.getByRole('button', { name: 'Add to cart' });
    const bottom = async () => {
      const box = await button.boundingBox();
      return box && box.y > 0 && box.y + box.height <= 844;
    };
    expect(await button.count()).toBe(1);
    expect(await bottom()).toBe(true);
    await page.evaluate('window.scrollTo(0, 900)');
    expect(await bottom()).toBe(true);
  });

  it('moves with its slug, for good', async () => {
    const { id, slug } = await create({ name: 'Wandering Lamp', slug: slugOf('wandering-lamp') });
    expect((await get(`/p/${slug}`)).status).toBe(200);
    const json = { slug: slugOf('settled-lamp') };
    await scene.app.api.put(`/api/v1/admin/products/${id}`, { token: adminToken, json });
    const moved = await get(`/p/${slug}`);
    expect([moved.status, moved.headers.get('location')]).toEqual([301, `/p/${json.slug}`]);
    await scene.app.api.delete(`/api/v1/admin/products/${id}`, { token: adminToken });
    expect((await get(`/p/${json.slug}`)).status).toBe(404);
    expect((await get('/p/%2e%2e%2f')).status).toBe(404);
  });

  it('tells search engines what it is, whatever its name is', async () => {
    const html = await textOf(`/p/${named.slug}`);
    const [facts, way] = structuredIn(html);
    expect(facts).toMatchObject({
      '@type': 'Product',
      name: longName,
      offers: { price: '12.50', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
    });
    expect(way).toMatchObject({ '@type': 'BreadcrumbList' });
    const [mug] = structuredIn(await textOf('/p/stoneware-mug'));
    expect(mug).toMatchObject({ aggregateRating: { '@type': 'AggregateRating', reviewCount: 3 } });
    expect(html).toContain(`<link rel="canonical" href="${at(`/p/${named.slug}`)}"`);
    expect(html).toContain('<meta property="og:title"');
  });

  it('breaks nothing with a name of 200 characters from right to left', async () => {
    for (const width of [360, 1_440]) {
      await page.setViewportSize({ width, height: 800 });
      for (const path of [`/p/${named.slug}`, '/search?sort=newest']) {
        await page.goto(at(path));
        const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await page.evaluate<number>(over)).toBe(0);
      }
    }
    await page.goto(at(`/p/${named.slug}`));
    const heading = page.getByRole('heading', { level: 1 });
    expect(await heading.innerText()).toBe(longName);
    expect(await heading.evaluate((one) => one.matches(':dir(rtl)'))).toBe(true);
  });

  it('shows a drawn picture where its own is missing', async () => {
    const picture = '/uploads/product/gone.webp';
    const { id, slug } = await create({ name: 'Unseen Vase', slug: slugOf('unseen-vase'), image_url: picture });
    const one = await scene.newPage();
    await one.goto(at(`/p/${slug}`));
    await one.getByRole('img', { name: 'Unseen Vase' }).and(one.locator('svg')).waitFor();
    // What the browser says about the picture itself is expected.
    expect(one.faults.filter((fault) => !fault.includes(picture))).toEqual([]);
    await one.context().close();
    await scene.app.api.delete(`/api/v1/admin/products/${id}`, { token: adminToken });
  });

  it('shows what people wrote as text, whatever it is', async () => {
    const { id, slug } = await create({ name: 'Talked-about Bowl', slug: slugOf('talked-about-bowl') });
    const json = { rating: 4, title: evil, content: evil };
    const written = await scene.app.api.post(`/api/v1/reviews/product/${id}`, { token: reviewer.token, json });
    expect(written.status).toBe(201);
    await page.goto(at(`/p/${slug}`));
    const review = page.getByRole('article').filter({ hasText: '<b>Rita</b>' });
    expect(await review.getByText(evil).count()).toBe(2);
    expect(await page.title()).toBe('Talked-about Bowl – Store Service');
  });
});

describe('A customer', () => {
  it('writes one review with a photo, and is told that a second one is too many', async () => {
    const { id, slug } = await create({ name: 'Reviewed Jug', slug: slugOf('reviewed-jug') });
    const { username, password } = await signUp(scene.app);
    const one = await scene.newPage();
    await one.goto(at(`/p/${slug}`));
    await one.getByRole('link', { name: 'Sign in to write a review' }).click();
    await one.locator('input[name=username]').fill(username);
    await one.locator('input[type=password]').fill(password);
    await one.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await one.waitForURL(at(`/p/${slug}#reviews`));
    const write = async () => {
      await one.locator('summary').filter({ hasText: 'Write a review' }).click();
      await one.locator('input[name=rating][value="4"]').check();
      await one.getByLabel(/^Title/).fill('Pours well');
      await one.locator('input[type=file]').setInputFiles(photo);
      await one.getByRole('button', { name: 'Publish review' }).click();
    };
    await write();
    await one.getByText('Thank you. Your review is published.').waitFor();
    const review = one.getByRole('article').filter({ hasText: 'Pours well' });
    await review.getByRole('img', { name: `Photo by ${username}` }).waitFor();
    await one.goto(at(`/p/${slug}`));
    await lively(one);
    await write();
    await one.getByText('You have already written a review of this.').waitFor();
    expect(await one.getByLabel(/^Title/).inputValue()).toBe('Pours well');
    const kept = await scene.app.database.rows(
      'SELECT FROM uploads WHERE user_id = (SELECT user_id FROM reviews WHERE product_id = $1)',
      [id],
    );
    expect(kept).toHaveLength(1);
    // The refusal is a 409, of which the browser tells.
    expect(one.faults.filter((fault) => !fault.includes('409'))).toEqual([]);
    await one.context().close();
  });
});

describe('Search engines', () => {
  it('find every product and category by the sitemap, which robots.txt names', async () => {
    const robots = await textOf('/robots.txt');
    expect(robots).toContain(`Sitemap: ${at('/sitemap.xml')}`);
    expect(robots).toContain('Disallow: /account');
    const addressesIn = (xml: string) => [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => address);
    const parts = addressesIn(await textOf('/sitemap.xml'));
    const lists = await Promise.all(parts.map(async (part) => addressesIn(await (await fetch(part)).text())));
    const addresses = lists.flat();
    const [counted] = await scene.app.database.rows<{ count: number }>(
      `SELECT count(*)::integer AS count FROM products WHERE deleted_at IS NULL AND status = 'published'`,
    );
    expect(addresses.filter((one) => one.startsWith(at('/p/')))).toHaveLength(counted?.count ?? -1);
    expect(addresses).toEqual(expect.arrayContaining([at('/'), at('/c/kitchen-and-table'), at('/c/cups-and-plates')]));
    expect((await get('/sitemap/products-99999.xml')).status).toBe(404);
    expect((await get('/sitemap/other.xml')).status).toBe(404);
  });

  it('leave out searches and narrowed lists', async () => {
    expect(await textOf('/search?q=mug')).toContain('noindex');
    expect(await textOf('/c/cups-and-plates?color=Blue')).toContain('noindex');
    expect(await textOf('/c/cups-and-plates')).not.toContain('noindex');
  });
});

describe('A visitor', () => {
  it('reads German where the browser does, with money and dates as Germans write them', async () => {
    const german = await textOf('/p/stoneware-mug', { 'accept-language': 'fr;q=0.9, de-AT;q=0.8, en;q=0.5' });
    expect(german).toContain('<html lang="de"');
    expect(german).toContain('In den Warenkorb');
    expect(german).toMatch(/14,00\s\$/);
    expect(await textOf('/', { 'accept-language': 'fr' })).toContain('<html lang="en"');
  });

  it('chooses language and looks in the footer, without JavaScript too', async () => {
    const plain = await scene.newPage({ javaScriptEnabled: false });
    await plain.goto(at('/c/clothing?sort=price'));
    await plain.getByRole('button', { name: 'Deutsch' }).click();
    await plain.locator('html[lang=de]').waitFor({ state: 'attached' });
    expect(plain.url()).toBe(at('/c/clothing?sort=price'));
    await plain.getByRole('button', { name: 'Dunkel' }).click();
    await plain.locator('html[data-theme=dark]').waitFor({ state: 'attached' });
    const background = () => plain.evaluate<string>('getComputedStyle(document.body).backgroundColor').catch(() => '');
    expect(await plain.getByRole('button', { name: 'Dunkel' }).getAttribute('aria-pressed')).toBe('true');
    await plain.getByRole('button', { name: 'Wie mein Gerät' }).click();
    await plain.locator('html[data-theme=system]').waitFor({ state: 'attached' });
    expect(await background()).toBeDefined();
    await plain.context().close();
  });

  it('is led back only to this shop', async () => {
    for (const back of [
      'https://elsewhere.example/',
      '//elsewhere.example',
      String.raw`/\elsewhere.example`,
      '/..//elsewhere.example',
      '',
    ]) {
      const answer = await fetch(at('/preferences'), {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: scene.origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ language: 'de', back }),
      });
      expect(answer.status).toBe(303);
      expect(new URL(answer.headers.get('location') ?? '', at('/preferences')).origin).toBe(scene.origin);
    }
  });

  it('goes to the content by the first key, and sees where the focus is', async () => {
    await page.goto(at('/'));
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the content' });
    expect(await skip.evaluate((one) => one.matches(':focus-visible'))).toBe(true);
    await page.waitForFunction('document.activeElement.getBoundingClientRect().top >= 0');
    await page.keyboard.press('Enter');
    await page.waitForFunction("document.activeElement.id === 'main'");
  });

  it('keeps the shop on a phone, by a manifest with icons that are there', async () => {
    const manifest = (await (await get('/manifest.webmanifest')).json()) as { name: string; icons: { src: string }[] };
    expect(manifest.name).toBe('Store Service');
    for (const { src } of manifest.icons) expect((await get(src)).headers.get('content-type')).toBe('image/png');
  });

  it('is told when there is no connection, by a page that was kept', async () => {
    const one = await scene.newPage();
    await one.goto(at('/'));
    await one.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await one.waitForFunction('navigator.serviceWorker.controller !== null');
    await one.context().setOffline(true);
    await one.goto(at('/p/stoneware-mug'));
    await one.getByRole('heading', { level: 1, name: 'You are offline' }).waitFor();
    expect(await one.evaluate<string>('getComputedStyle(document.querySelector("h1")).fontFamily')).toContain(
      'Fraunces',
    );
    await one.context().setOffline(false);
    await one.getByRole('link', { name: 'Try again' }).click();
    await one.getByRole('heading', { level: 1, name: 'Stoneware Mug' }).waitFor();
    await one.context().close();
  });
});

describe('While the service is away', () => {
  it('a page says so in the shop’s own frame, and comes back with the service', async () => {
    await page.goto(at('/'), { waitUntil: 'networkidle' });
    await scene.way.cut();
    try {
      const answer = await page.goto(at('/p/stoneware-mug'));
      expect(answer?.status()).toBe(503);
      expect(answer?.headers()['cache-control']).toContain('no-store');
      await page.getByRole('heading', { level: 1, name: 'The shop is away for a moment' }).waitFor();
      await page.getByRole('link', { name: 'Clothing' }).first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      page.faults.splice(0); // the browser tells of the 503
    } finally {
      await scene.way.mend();
    }
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Stoneware Mug' }).waitFor();
  });

  it('a page that is nowhere is a 404 with a search', async () => {
    const answer = await page.goto(at('/nothing/here'));
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'This page is not here' }).waitFor();
    await page.getByRole('main').getByRole('searchbox').fill('mug');
    page.faults.splice(0); // the browser tells of the 404
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/\/search\?q=mug/);
  });
});
