import { counted } from './counted.js';
import { type Part } from '../phrasing/told.js';

export const palette = {
  screens: 'Screens',
  order: (id: Part) => `Order ${id}`,
  screensProductsOrderNumbersCustomers: 'Search, or say what to do: “Ship order 240”, “New product”, “Dark”',
  actions: 'Actions',
  shipOrder: (id: Part) => `Ship order ${id}`,
  newShopKey: 'New key of the shop',
  addAColleague: 'Add a colleague',
  newWorkflow: 'New workflow',
  newApiKey: 'New API key',
  invite: 'Invite somebody',
  found: 'Found',
  searching: 'Searching …',
  notEverythingWasSearched: (problem: Part) => `Not everything was searched. ${problem}`,
  nothingFound: 'Nothing found.',
  nothingFoundYet: 'Nothing found; type two letters or more.',
  chooseEnterOpens: (count: number) => `${counted(count, 'result', 'results')}. ↑ ↓ choose, Enter opens.`,
};
