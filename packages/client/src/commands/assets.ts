import { type Command, Option } from 'commander';
import type { Open } from './context.js';
import { wordsOption } from './options.js';
import { addChanges, addGet, type Told } from './resource-commands.js';
import { addList } from './usual-commands.js';
import { assetClasses } from '../values.js';

const told: Told = {
  name: 'assets',
  one: 'asset',
  load: async () => (await import('./asset-views.js')).assets,
  page: { kind: 'ASSET', path: 'scanning/assets/{id}' },
};

export function addAssets(assets: Command, open: Open): void {
  const usage = {
    page: 'scanning/assets',
    summary: 'list assets, newest first',
    description: 'List assets, newest first. Filters narrow each other.',
    examples: ['store assets list', 'store assets list --classes FRONTEND,API_SERVICE -s shop -o csv'],
  };
  const filters = [
    new Option('-s, --search <text>', 'assets with this text in name or uri: three characters or more'),
    wordsOption('--classes <classes>', `assets of these: ${assetClasses.join(', ')}`, assetClasses),
  ];
  addList(assets, open, usage, filters, async () => (await import('./asset-views.js')).listAssets);
  addGet(assets, open, told, ' with the details of its class.', [
    'store assets get latest',
    'store assets get latest -o json | jq .uri',
  ]);
  addChanges(assets, open, told, {
    make: { name: 'Partner portal', type: 'WEBAPP', class: 'FRONTEND' },
    change: { name: 'Portal of partners' },
  });
}
