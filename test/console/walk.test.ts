import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { signUp } from '../support/accounts.js';
import { Deferred } from '../support/deferred.js';
import { insertMembership } from '../support/organizations.js';
import { startTestApp } from '../support/test-app.js';
import { admin, type ConsoleScene, goTo, startConsoleScene, violationsInBothThemes } from './console-scene.js';
import { addressesIn, screens } from './screens.js';

let scene: ConsoleScene;
let organizationId = '';
let addressOf: (path: string) => string;

interface BuiltPart {
  file: string;
  css?: string[];
  assets?: string[];
  imports?: string[];
  dynamicImports?: string[];
  isDynamicEntry?: boolean;
}
/** The build's output, by source. */
const built = () =>
  JSON.parse(readFileSync('packages/console/dist/.vite/manifest.json', 'utf8')) as Record<string, BuiltPart>;

/** The fonts for names in other languages: a browser loads them where it shows such a name. */
const isRare = (file: string) => /inter-latin-(1|extended)/.test(file);

/** The files that contain a source and all its imports, with their fonts. */
function partsOf(manifest: Record<string, BuiltPart>, source: string, known = new Set<string>()): Set<string> {
  const { file = '', css = [], assets = [], imports = [] } = manifest[source] ?? {};
  if (known.has(file)) return known;
  for (const one of [file, ...css, ...assets.filter((asset) => !isRare(asset))]) known.add(one);
  for (const one of imports) partsOf(manifest, one, known);
  return known;
}

const lessOf = (files: Set<string>, others: Set<string>) => [...files].filter((file) => !others.has(file));

/** What comes compressed; a font is so by itself. */
function sizeOf(files: Iterable<string>): number {
  const each = [...files].map((file) => {
    const content = readFileSync(join('packages/console/dist', file));
    return file.endsWith('.woff2') ? content.length : gzipSync(content, { level: 9 }).length;
  });
  return each.reduce((sum, size) => sum + size, 0);
}

/** The catalog of words that is the longer one of both languages. */
function longestOf(manifest: Record<string, BuiltPart>, name: string): Set<string> {
  const catalogs = ['en', 'de'].map((language) => partsOf(manifest, `src/texts/${language}/${name}.ts`));
  const [longest = new Set<string>()] = catalogs.sort((one, other) => sizeOf(other) - sizeOf(one));
  expect(longest.size).toBeGreaterThan(0);
  return longest;
}

/** Pages in tabs have the heading that they share. */
const shared: [RegExp, string][] = [
  [/^scanning\/organization\//, 'Organization'],
  [/^scanning\/issues\//, 'Issues'],
  [/^shop\/settings/, 'Settings'],
  [/^operation/, 'Operation'],
];

beforeAll(async () => {
  scene = await startConsoleScene();
  const [organization] = await scene.app.database.rows<{ id: string }>('SELECT id FROM organizations');
  organizationId = organization?.id ?? '';
  addressOf = await addressesIn(scene.app);
});

afterAll(async () => {
  await scene?.close();
});

describe('the console', () => {
  it('shows an admin every screen under its name, without an error, a foreign request or an accessibility violation', async () => {
    const page = await scene.signIn(admin);
    const faults: Record<string, string[]> = {};
    for (const { path, title } of screens) {
      await goTo(page, addressOf(path));
      const heading = await page.getByRole('heading', { level: 1 }).first().innerText();
      const [, named = title] = shared.find(([pages]) => pages.test(path)) ?? [];
      const isNamed = path.endsWith('/:id') || heading === named;
      const found = isNamed ? [] : [`its heading is ${heading}`];
      found.push(...(await violationsInBothThemes(page)));
      if (found.length > 0) faults[path] = found;
    }
    expect({ faults, errors: page.faults }).toEqual({ faults: {}, errors: [] });
    await page.context().close();
  }, 900_000);

  it.each(['member', 'viewer', 'stranger'] as const)(
    'tells a %s why the screens of others are not theirs',
    async (role) => {
      const account = await signUp(scene.app);
      if (role !== 'stranger') await insertMembership(scene.app, organizationId, account.id, role);
      const page = await scene.signIn(account);
      const ranks = ['stranger', 'viewer', 'member'];
      const shown: Record<string, boolean> = {};
      const due: Record<string, boolean> = {};
      for (const { path, needs } of screens) {
        await goTo(page, addressOf(path));
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        shown[path] = (await page.getByText(/^(Only |This page shows an organization)/).count()) === 0;
        due[path] = needs === 'anyone' || (ranks.includes(needs) && ranks.indexOf(role) >= ranks.indexOf(needs));
      }
      const isLoading = await page.getByText('The console is loading').isVisible();
      expect({ shown, isLoading, errors: page.faults }).toEqual({ shown: due, isLoading: false, errors: [] });
      await page.context().close();
    },
  );

  it("draws its charts when the browser's language is invalid", async () => {
    const page = await scene.signIn(admin);
    await page.addInitScript(() => {
      const { navigator } = globalThis as unknown as { navigator: object };
      Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true });
    });
    await page.reload();
    await goTo(page, 'shop');
    await page.locator('figure canvas').first().waitFor();
    expect(page.faults).toEqual([]);
    await page.context().close();
  });

  it('is served under a strict policy and compressed, with its hashed files cached for good and its page revalidated', async () => {
    const page = await fetch(`${scene.app.baseUrl}/console/shop/orders`, { headers: { 'accept-encoding': 'br' } });
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
        "font-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
    );
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const html = await page.text();
    expect(html).toContain('The console is loading'); // shown before the script has loaded
    const script = /src="([^"]+\.js)"/.exec(html)?.[1] ?? '';
    const asset = await fetch(scene.app.baseUrl + script, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect(asset.headers.get('content-encoding')).toBe('br');
    const etag = page.headers.get('etag') ?? '';
    const known = { 'if-none-match': etag, 'accept-encoding': 'br' };
    expect((await fetch(`${scene.app.baseUrl}/console/`, { headers: known })).status).toBe(304);
    expect((await fetch(`${scene.app.baseUrl}/console/assets/none.js`)).status).toBe(404);
  });

  it('is where the root leads browsers, but not programs', async () => {
    const lead = (accept: string) => fetch(`${scene.app.baseUrl}/`, { redirect: 'manual', headers: { accept } });
    const answer = await lead('text/html,*/*');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/console/']);
    expect((await lead('application/json')).status).toBe(404);
  });

  it('is left out if the settings say so', async () => {
    const without = await startTestApp({ env: { CONSOLE: 'false' } });
    try {
      const ask = (path: string) =>
        fetch(without.baseUrl + path, { redirect: 'manual', headers: { accept: 'text/html' } });
      const answers = await Promise.all(['/', '/console/', '/console/shop/orders'].map(ask));
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    } finally {
      await without.close();
    }
  });

  it('keeps the download of a first screen under 140 kB, words and font included, and of any other under 50 kB', () => {
    const manifest = built();
    const frame = new Set([...partsOf(manifest, 'index.html'), ...longestOf(manifest, 'of-everywhere')]);
    expect([...frame].filter((file) => file.endsWith('.woff2'))).toHaveLength(2);
    const words: [RegExp, Set<string>][] = [
      [/^src\/shop\//, longestOf(manifest, 'of-shop')],
      [/^src\/shop\/(settings|operation)\//, longestOf(manifest, 'of-settings')],
      [/^src\/scanning\//, longestOf(manifest, 'of-scanning')],
      [/^src\/scanning\/(workflows|deliveries|integrations|organization)\//, longestOf(manifest, 'of-pipelines')],
    ];
    const loadedLater = Object.keys(manifest).filter((source) => manifest[source]?.isDynamicEntry);
    const firsts = new Set(manifest['index.html']?.dynamicImports);
    const sizes = loadedLater.map((source) => {
      const beyond = sizeOf(lessOf(partsOf(manifest, source), frame));
      const said = words.filter(([folder]) => folder.test(source)).map(([, files]) => sizeOf(files));
      const ofWords = said.reduce((sum, size) => sum + size, 0);
      return { source, asFirst: firsts.has(source) ? sizeOf(frame) + ofWords + beyond : 0, asFurther: beyond };
    });
    expect(sizes.filter(({ asFirst }) => asFirst > 0).length).toBeGreaterThan(20);
    expect(sizes.filter(({ asFirst, asFurther }) => asFirst > 140_000 || asFurther > 50_000)).toEqual([]);
  });

  it('writes in Inter, of its own, with a sign at each screen of the rail, which stays in place as the font arrives', async () => {
    const page = await scene.signIn(admin);
    const fonts: string[] = [];
    const held = new Deferred<void>();
    await page.route(/\.woff2$/, async (route) => {
      fonts.push(new URL(route.request().url()).pathname);
      await held.promise;
      await route.continue();
    });
    const rail = page.getByRole('navigation', { name: 'Screens' });
    const links = rail.getByRole('listitem').getByRole('link');
    const tops = () => links.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    await page.reload({ waitUntil: 'commit' });
    await rail.getByRole('link', { name: 'Account', exact: true }).waitFor();
    const before = await tops();
    expect(before.length).toBeGreaterThan(10);
    held.resolve();
    await page.evaluate('document.fonts.ready');
    expect(await page.evaluate("document.fonts.check('600 14px Inter', 'Orders ÄÖÜ')")).toBe(true);
    const own = (name: string) => expect.stringMatching(new RegExp(`^/console/assets/${name}-[\\w-]{8}\\.woff2$`));
    expect(fonts).toHaveLength(2);
    expect(fonts).toEqual(expect.arrayContaining([own('inter'), own('inter-figures')]));
    expect(await tops()).toEqual(before);
    // All but the two that switch between the wings.
    expect(await links.locator('svg[aria-hidden=true]').count()).toBe(before.length - 2);
    expect(page.faults).toEqual([]);
    await page.context().close();
  });
});
