import type { Command } from 'commander';
import type { Open } from './context.js';
import type { KeyChoices } from './key-actions.js';
import {
  allOption,
  limitOption,
  listOutputOption,
  type OutputFormat,
  outputOption,
  readId,
  readMoment,
  wordOption,
} from './options.js';
import type { ListOptions } from './print-list.js';
import { roles } from './values.js';

const listExamples = `
Examples:
  store keys list
  store keys list -o json | jq -r '.[] | select(.revokedAt == null) | .name'`;

const createExamples = `
Examples:
  store keys create "CI pipeline" --role member
  store keys create "Dashboard" --role viewer --expires 2030-01-01 -o json | jq -r .key`;

const revokeExamples = `
Examples:
  store keys revoke 01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4`;

export function addKeys(keys: Command, open: Open): void {
  keys
    .command('list')
    .alias('ls')
    .summary("list the organization's API keys, newest first")
    .description('List the API keys of the organization, newest first: who made them, and when they were last used.')
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(listOutputOption())
    .addHelpText('after', listExamples)
    .action(async (options: ListOptions) => {
      const { listKeys } = await import('./key-actions.js');
      await listKeys(await open(), options);
    });
  keys
    .command('create')
    .summary('make an API key')
    .description('Make an API key, which is shown this once. Its role is at most your own.')
    .argument('<name>', 'what the key is for')
    .addOption(wordOption('--role <role>', `one of ${roles.join(', ')}`, roles).default('member'))
    .option('--expires <time>', 'when it ends: 30d, 2030-01-01; never if left out', readMoment)
    .addOption(outputOption())
    .addHelpText('after', createExamples)
    .action(async (name: string, choices: KeyChoices) => {
      const { createKey } = await import('./key-actions.js');
      await createKey(await open(), name, choices);
    });
  keys
    .command('revoke')
    .summary('revoke an API key')
    .description('Revoke an API key: it opens nothing from that moment.')
    .argument('<id>', 'the id of the key', readId)
    .addOption(outputOption())
    .addHelpText('after', revokeExamples)
    .action(async (id: string, { output }: { output: OutputFormat }) => {
      const { revokeKey } = await import('./key-actions.js');
      await revokeKey(await open(), id, output);
    });
}
