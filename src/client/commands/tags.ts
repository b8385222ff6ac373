import type { Command } from 'commander';
import type { Open } from './context.js';
import { addList } from './resource-commands.js';

const examples = `
Examples:
  store tags list
  store tags list -o jsonl | jq -r .name`;

export function addTags(tags: Command, open: Open): void {
  const told = { name: 'tags', one: 'tag', description: ': the labels that assets can bear.', examples };
  addList(tags, open, told, async () => (await import('./resource-views.js')).listTags);
}
