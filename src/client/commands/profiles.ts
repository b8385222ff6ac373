import type { Command } from 'commander';
import type { Open } from './context.js';
import { addGet, addList } from './resource-commands.js';

const examples = `
Examples:
  store profiles list
  store profiles list -s shop -o jsonl | jq -r .id`;

const getExamples = `
Examples:
  store profiles get latest
  store profiles get latest -o json | jq -r .scannerKind`;

export function addProfiles(profiles: Command, open: Open): void {
  const told = {
    name: 'profiles',
    one: 'profile',
    description: ': what is scanned, and by which kind of scanner.',
    examples,
  };
  addList(profiles, open, told, async () => (await import('./resource-views.js')).listProfiles);
  const toldOne = {
    one: 'profile',
    description: ': what is scanned, and by which kind of scanner.',
    examples: getExamples,
  };
  addGet(profiles, open, toldOne, async () => (await import('./resource-views.js')).showProfile);
}
