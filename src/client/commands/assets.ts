import type { Command } from 'commander';
import type { ListAssetsOptions } from './asset-views.js';
import type { Open } from './context.js';
import { allOption, limitOption, listOutputOption, wordsOption } from './options.js';
import { addChanges, addGet, type Told } from './resource-commands.js';
import { assetClasses } from './values.js';

const listExamples = `
Examples:
  store assets list
  store assets list --classes FRONTEND,API_SERVICE -s shop -o csv`;

const told: Told = { name: 'assets', one: 'asset', load: async () => (await import('./asset-views.js')).assets };

export function addAssets(assets: Command, open: Open): void {
  assets
    .command('list')
    .alias('ls')
    .summary('list assets, newest first')
    .description('List assets, newest first. Filters narrow each other.')
    .option('-s, --search <text>', 'assets with this text in name or uri: three characters or more')
    .addOption(wordsOption('--classes <classes>', `assets of these: ${assetClasses.join(', ')}`, assetClasses))
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(listOutputOption())
    .addHelpText('after', listExamples)
    .action(async (options: ListAssetsOptions) => {
      const { listAssets } = await import('./asset-views.js');
      await listAssets(await open(), options);
    });
  addGet(assets, open, told, ' with the details of its class.', [
    'store assets get latest',
    'store assets get latest -o json | jq .uri',
  ]);
  addChanges(assets, open, told, {
    make: { name: 'Partner portal', type: 'WEBAPP', class: 'FRONTEND' },
    change: { name: 'Portal of partners' },
  });
}
