import type { Command } from 'commander';
import type { Open } from './context.js';
import type { ListEventsOptions } from './list-events.js';
import {
  allOption,
  idsOption,
  limitOption,
  listOutputOption,
  shortOption,
  sinceOption,
  untilOption,
  wordsOption,
} from './options.js';
import { addCommand, addForOne } from './usual-commands.js';
import { attachmentTypes, levels, stages } from '../values.js';

function addList(events: Command, open: Open): void {
  addCommand(events, {
    name: 'list',
    alias: 'ls',
    summary: 'list events, newest first (also: event)',
    description:
      'List events, newest first. Filters narrow each other; where a filter takes several values, divided by commas ' +
      'or given again, an event needs one of them.',
    examples: [
      'store events list --scan-id latest --levels ERROR,WARNING',
      'store events list -s "issue found" --has-attachments --since 30d',
      'store events list -l ERROR -o jsonl | jq -r .title',
      'store events list --stage AGENT_ACTION --follow',
    ],
  })
    .alias('event')
    .option('-s, --search <text>', 'events with this text in title, description or attachments')
    .addOption(idsOption('-p, --profile-id <id>', "events of this profile's scans"))
    .addOption(idsOption('--scan-id <id>', 'events of this scan'))
    .addOption(idsOption('-a, --asset-id <id>', 'events that concern this asset'))
    .addOption(idsOption('-i, --issue-id <id>', 'events that concern this issue'))
    .addOption(wordsOption('--stage <stage>', `events of this stage: ${stages.join(', ')}`, stages))
    .addOption(wordsOption('-l, --levels <levels>', `events of these levels: ${levels.join(', ')}`, levels))
    .option('--has-attachments', 'only events that have attachments')
    .addOption(
      wordsOption(
        '-t, --attachments <type>',
        `events with attachments of this type: ${attachmentTypes.join(', ')}`,
        attachmentTypes,
      ),
    )
    .addOption(sinceOption('events'))
    .addOption(untilOption('events').conflicts('follow'))
    .addOption(limitOption())
    .addOption(allOption().conflicts('follow'))
    .option('--follow', 'then show new events as they come, until Ctrl-C; the newest stand last')
    .addOption(shortOption())
    .addOption(listOutputOption())
    .action(async (options: ListEventsOptions) => {
      const { listEvents } = await import('./list-events.js');
      await listEvents(await open(), options);
    });
}

function addGet(events: Command, open: Open): void {
  const usage = {
    name: 'get',
    alias: 'g',
    one: 'event',
    page: { kind: 'EVENT', path: 'scanning/events?event={id}' } as const,
    summary: 'show one event in full',
    description: 'Show one event with its description and attachments.',
    examples: ['store events get latest', 'store events get 01981c5e-7a60 -o json | jq .description'],
  };
  addForOne(events, open, usage, async () => (await import('./show-event.js')).showEvent);
}

export function addEvents(events: Command, open: Open): void {
  addList(events, open);
  addGet(events, open);
}
