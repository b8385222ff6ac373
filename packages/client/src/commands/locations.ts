import type { Command } from 'commander';
import type { Open } from './context.js';
import { addChanges, addGet, addList, type Told } from './resource-commands.js';

const told: Told = {
  name: 'locations',
  one: 'location',
  load: async () => (await import('./resource-views.js')).locations,
};

export function addLocations(locations: Command, open: Open): void {
  addList(locations, open, told, ': from where scans are run.', [
    'store locations list',
    'store locations list -s data -o csv',
  ]);
  addGet(locations, open, told, ' from where scans are run.', [
    'store locations get latest',
    'store locations get latest -o json | jq -r .target',
  ]);
  addChanges(locations, open, told, {
    make: { name: 'Paris', type: 'PRIVATE', target: 'scanner.example.com' },
    change: { enabled: false },
  });
}
