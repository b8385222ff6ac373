import type { Command } from 'commander';
import type { Open } from './context.js';
import { addGet, addList } from './resource-commands.js';

const examples = `
Examples:
  store integrations list
  store integrations list -o json | jq '.[] | select(.valid | not) | .name'`;

const getExamples = `
Examples:
  store integrations get latest
  store integrations get latest -o json | jq .parameters`;

export function addIntegrations(integrations: Command, open: Open): void {
  const told = {
    name: 'integrations',
    one: 'integration',
    description: '. Secrets in their parameters are masked.',
    examples,
  };
  addList(integrations, open, told, async () => (await import('./resource-views.js')).listIntegrations);
  const toldOne = {
    one: 'integration',
    description: ' with its parameters, whose secrets are masked.',
    examples: getExamples,
  };
  addGet(integrations, open, toldOne, async () => (await import('./resource-views.js')).showIntegration);
}
