import type { Command } from 'commander';
import type { Open } from './context.js';
import type { KeyChoices } from './key-actions.js';
import { outputOption, readMoment, roleOption } from './options.js';
import { addCommand, addForOne, addList } from './usual-commands.js';
import { keyRoles } from '../values.js';

export function addKeys(keys: Command, open: Open): void {
  const listing = {
    summary: "list the organization's API keys, newest first",
    description: 'List the API keys of the organization, newest first: who made them, and when they were last used.',
    examples: ['store keys list', "store keys list -o json | jq -r '.[] | select(.revokedAt == null) | .name'"],
  };
  addList(keys, open, listing, [], async () => (await import('./key-actions.js')).listKeys);
  addCommand(keys, {
    name: 'create',
    summary: 'make an API key',
    description:
      'Make an API key, which is shown this once. Its role is at most your own; an importer imports reports, reads, and ' +
      'changes nothing else, which is what a pipeline needs.',
    examples: [
      'store keys create "CI pipeline" --role importer',
      'store keys create "Dashboard" --role viewer --expires 2030-01-01 -o json | jq -r .key',
    ],
  })
    .argument('<name>', 'what the key is for')
    .addOption(roleOption(keyRoles).default('member'))
    .option('--expires <time>', 'when it ends: 30d, 2030-01-01; never if left out', readMoment)
    .addOption(outputOption())
    .action(async (name: string, choices: KeyChoices) => {
      const { createKey } = await import('./key-actions.js');
      await createKey(await open(), name, choices);
    });
  const revocation = {
    name: 'revoke',
    one: 'key',
    summary: 'revoke an API key',
    description: 'Revoke an API key: it opens nothing from that moment.',
    examples: ['store keys revoke 01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4'],
  };
  addForOne(keys, open, revocation, async () => (await import('./key-actions.js')).revokeKey);
}
