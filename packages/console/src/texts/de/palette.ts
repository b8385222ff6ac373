import type { palette as english } from '../en/palette.js';
import { counted } from './counted.js';
import { type Part } from '../phrasing/told.js';

export const palette: typeof english = {
  screens: 'Seiten',
  order: (id: Part) => `Bestellung ${id}`,
  screensProductsOrderNumbersCustomers: 'Seiten, Produkte, Bestellnummern, Kunden, Befunde, Assets, Scans',
  found: 'Gefunden',
  searching: 'Suche läuft …',
  notEverythingWasSearched: (problem: Part) => `Nicht alles wurde durchsucht. ${problem}`,
  nothingFound: 'Nichts gefunden.',
  nothingFoundYet: 'Nichts gefunden. Geben Sie mindestens zwei Buchstaben ein.',
  chooseEnterOpens: (count: number) => `${counted(count, 'Treffer', 'Treffer')}. ↑ ↓ wählen, Eingabe öffnet.`,
};
