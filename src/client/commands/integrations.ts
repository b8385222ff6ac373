import type { Command } from 'commander';
import type { Open } from './context.js';
import { allOption, limitOption, listOutputOption } from './options.js';
import type { SearchListOptions } from './resource-lists.js';

const examples = `
Examples:
  store integrations list
  store integrations list -o json | jq '.[] | select(.valid | not) | .name'`;

export function addIntegrations(integrations: Command, open: Open): void {
  integrations
    .command('list')
    .alias('ls')
    .summary('list integrations, newest first')
    .description('List integrations, newest first. Secrets in their parameters are masked.')
    .option('-s, --search <text>', 'integrations with this text in the name')
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(listOutputOption())
    .addHelpText('after', examples)
    .action(async (options: SearchListOptions) => {
      const { listIntegrations } = await import('./resource-lists.js');
      await listIntegrations(await open(), options);
    });
}
