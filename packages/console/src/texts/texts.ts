import type { en } from './en.js';
import type { Language } from './languages.js';

/** What every language says: as English has it. */
export type Texts = typeof en;

/** The parts of the console that have words of their own, beside those of every page. */
type Part = 'everywhere' | 'shop' | 'settings' | 'scanning' | 'pipelines';

const catalogs: Record<Language, Record<Part, () => Promise<Partial<Texts>>>> = {
  en: {
    everywhere: async () => (await import('./en/of-everywhere.js')).ofEverywhere,
    shop: async () => (await import('./en/of-shop.js')).ofShop,
    settings: async () => (await import('./en/of-settings.js')).ofSettings,
    scanning: async () => (await import('./en/of-scanning.js')).ofScanning,
    pipelines: async () => (await import('./en/of-pipelines.js')).ofPipelines,
  },
  de: {
    everywhere: async () => (await import('./de/of-everywhere.js')).ofEverywhere,
    shop: async () => (await import('./de/of-shop.js')).ofShop,
    settings: async () => (await import('./de/of-settings.js')).ofSettings,
    scanning: async () => (await import('./de/of-scanning.js')).ofScanning,
    pipelines: async () => (await import('./de/of-pipelines.js')).ofPipelines,
  },
};

/** All words of the console, in the language of the page. Those of a screen are there before the screen is loaded. */
export const texts = {} as Texts;

const parts: readonly (readonly [beginning: RegExp, part: Part])[] = [
  [/^/, 'everywhere'],
  [/^(shop|operation)(\/|$)/, 'shop'],
  [/^(shop\/settings|operation)(\/|$)/, 'settings'],
  [/^scanning(\/|$)/, 'scanning'],
  [/^scanning\/(workflows|integrations|organization|new)(\/|$)/, 'pipelines'],
];

/** Loads the words of a language that the screen at this path shows, and only those. */
export async function loadTexts(language: Language, path: string): Promise<void> {
  const shown = parts.filter(([beginning]) => beginning.test(path));
  const loaded = await Promise.all(shown.map(([, part]) => catalogs[language][part]()));
  for (const some of loaded) Object.assign(texts, some);
}
