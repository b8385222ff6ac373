import type { Command } from 'commander';
import type { Open } from './context.js';
import { addChanges, addGet, addList, type Told } from './resource-commands.js';

const told: Told = {
  name: 'integrations',
  one: 'integration',
  load: async () => (await import('./resource-views.js')).integrations,
};

export function addIntegrations(integrations: Command, open: Open): void {
  addList(integrations, open, told, '. Secrets in their parameters are masked.', [
    'store integrations list',
    "store integrations list -o json | jq '.[] | select(.valid | not) | .name'",
  ]);
  addGet(integrations, open, told, ' with its parameters, whose secrets are masked.', [
    'store integrations get latest',
    'store integrations get latest -o json | jq .parameters',
  ]);
  addChanges(integrations, open, told, {
    make: { name: 'Chat', kind: 'WEBHOOK', parameters: { url: 'https://chat.example.com/hook' } },
    change: { valid: false },
  });
}
