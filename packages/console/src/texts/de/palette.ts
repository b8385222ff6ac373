import type { palette as english } from '../en/palette.js';
import { counted } from './counted.js';
import { type Part } from '../phrasing/told.js';

export const palette: typeof english = {
  screens: 'Seiten',
  order: (id: Part) => `Bestellung ${id}`,
  screensProductsOrderNumbersCustomers: 'Suchen, oder sagen, was zu tun ist: „Bestellung 240 versenden“, „Dunkel“',
  actions: 'Aktionen',
  shipOrder: (id: Part) => `Bestellung ${id} versenden`,
  newShopKey: 'Neuer Schlüssel des Shops',
  addAColleague: 'Kollegin oder Kollegen hinzufügen',
  newWorkflow: 'Neuer Workflow',
  newApiKey: 'Neuer API-Schlüssel',
  invite: 'Jemanden einladen',
  found: 'Gefunden',
  searching: 'Suche läuft …',
  notEverythingWasSearched: (problem: Part) => `Nicht alles wurde durchsucht. ${problem}`,
  nothingFound: 'Nichts gefunden.',
  nothingFoundYet: 'Nichts gefunden. Geben Sie mindestens zwei Buchstaben ein.',
  chooseEnterOpens: (count: number) => `${counted(count, 'Treffer', 'Treffer')}. ↑ ↓ wählen, Eingabe öffnet.`,
};
