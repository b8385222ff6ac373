import type { Command } from 'commander';
import type { Open } from './context.js';
import { addChanges, addGet, addList, type Told } from './resource-commands.js';

const told: Told = {
  name: 'profiles',
  one: 'profile',
  load: async () => (await import('./resource-views.js')).profiles,
};
const description = ': what is scanned, and by which kind of scanner.';

export function addProfiles(profiles: Command, open: Open): void {
  addList(profiles, open, told, description, [
    'store profiles list',
    'store profiles list -s shop -o jsonl | jq -r .id',
  ]);
  addGet(profiles, open, told, description, [
    'store profiles get latest',
    'store profiles get latest -o json | jq -r .scannerKind',
  ]);
  addChanges(profiles, open, told, {
    make: { name: 'Front end', scannerKind: 'FRONTEND_DAST', type: 'REST' },
    change: { name: 'Front end, version 2' },
  });
}
