import type { Command } from 'commander';
import type { Open } from './context.js';
import { allOption, limitOption, listOutputOption } from './options.js';
import type { SearchListOptions } from './resource-lists.js';

const examples = `
Examples:
  store profiles list
  store profiles list -s shop -o jsonl | jq -r .id`;

export function addProfiles(profiles: Command, open: Open): void {
  profiles
    .command('list')
    .alias('ls')
    .summary('list profiles, newest first')
    .description('List profiles, newest first: what is scanned, and by which kind of scanner.')
    .option('-s, --search <text>', 'profiles with this text in the name')
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(listOutputOption())
    .addHelpText('after', examples)
    .action(async (options: SearchListOptions) => {
      const { listProfiles } = await import('./resource-lists.js');
      await listProfiles(await open(), options);
    });
}
