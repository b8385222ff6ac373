import type { Command } from 'commander';
import type { ListAssetsOptions } from './asset-views.js';
import type { Open } from './context.js';
import {
  allOption,
  limitOption,
  listOutputOption,
  type OutputFormat,
  outputOption,
  readId,
  wordsOption,
} from './options.js';
import { assetClasses } from './values.js';

const listExamples = `
Examples:
  store assets list
  store assets list --classes FRONTEND,API_SERVICE -s shop -o csv`;

const getExamples = `
Examples:
  store assets get latest
  store assets get latest -o json | jq .uri`;

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
  assets
    .command('get')
    .alias('g')
    .summary('show one asset')
    .description('Show one asset with the details of its class.')
    .argument('<id>', 'the id of the asset', readId)
    .addOption(outputOption())
    .addHelpText('after', getExamples)
    .action(async (id: string, { output }: { output: OutputFormat }) => {
      const { showAsset } = await import('./asset-views.js');
      await showAsset(await open(), id, output);
    });
}
