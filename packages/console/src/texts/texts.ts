import type { en } from './en.js';
import type { Language } from './languages.js';

/** What every language says: as English has it. */
export type Texts = typeof en;

/** The parts of the console that have words of their own, beside those of every page. */
type Wing = 'everywhere' | 'shop' | 'scanning';

const catalogs: Record<Language, Record<Wing, () => Promise<Partial<Texts>>>> = {
  en: {
    everywhere: async () => (await import('./en/of-everywhere.js')).ofEverywhere,
    shop: async () => (await import('./en/of-shop.js')).ofShop,
    scanning: async () => (await import('./en/of-scanning.js')).ofScanning,
  },
  de: {
    everywhere: async () => (await import('./de/of-everywhere.js')).ofEverywhere,
    shop: async () => (await import('./de/of-shop.js')).ofShop,
    scanning: async () => (await import('./de/of-scanning.js')).ofScanning,
  },
};

/** All words of the console, in the language of the page. Those of a screen are there before the screen is loaded. */
export const texts = {} as Texts;

const wings: readonly (readonly [beginning: RegExp, wing: Wing])[] = [
  [/^(shop|operation)(\/|$)/, 'shop'],
  [/^scanning(\/|$)/, 'scanning'],
];

/** Loads the words of a language that the screen at this path shows, and only those. */
export async function loadTexts(language: Language, path: string): Promise<void> {
  const wing = wings.find(([beginning]) => beginning.test(path))?.[1];
  const { everywhere, ...others } = catalogs[language];
  const loaded = await Promise.all([everywhere(), wing && wing !== 'everywhere' ? others[wing]() : {}]);
  for (const some of loaded) Object.assign(texts, some);
}
