import { counted } from './counted.js';
import { type Part } from '../phrasing/told.js';

export const palette = {
  screens: 'Screens',
  order: (id: Part) => `Order ${id}`,
  screensProductsOrderNumbersCustomers: 'Screens, products, order numbers, customers, issues, assets, scans',
  found: 'Found',
  searching: 'Searching …',
  notEverythingWasSearched: (problem: Part) => `Not everything was searched. ${problem}`,
  nothingFound: 'Nothing found.',
  nothingFoundYet: 'Nothing found; type two letters or more.',
  chooseEnterOpens: (count: number) => `${counted(count, 'result', 'results')}. ↑ ↓ choose, Enter opens.`,
};
