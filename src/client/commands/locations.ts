import type { Command } from 'commander';
import type { Open } from './context.js';
import { addGet, addList } from './resource-commands.js';

const examples = `
Examples:
  store locations list
  store locations list -s data -o csv`;

const getExamples = `
Examples:
  store locations get latest
  store locations get latest -o json | jq -r .target`;

export function addLocations(locations: Command, open: Open): void {
  const told = { name: 'locations', one: 'location', description: ': from where scans are run.', examples };
  addList(locations, open, told, async () => (await import('./resource-views.js')).listLocations);
  const toldOne = { one: 'location', description: ' from where scans are run.', examples: getExamples };
  addGet(locations, open, toldOne, async () => (await import('./resource-views.js')).showLocation);
}
