import type { Command } from 'commander';
import type { Open } from './context.js';
import { addChanges, addGet, addList, type Told } from './resource-commands.js';

const told: Told = { name: 'tags', one: 'tag', load: async () => (await import('./resource-views.js')).tags };

export function addTags(tags: Command, open: Open): void {
  addList(tags, open, told, ': the labels that assets can bear.', [
    'store tags list',
    'store tags list -o jsonl | jq -r .name',
  ]);
  addGet(tags, open, told, '.', ['store tags get latest', 'store tags get latest -o json | jq -r .color']);
  addChanges(tags, open, told, {
    make: { name: 'partner', color: '#c0392b' },
    change: { color: '#8e44ad' },
  });
}
