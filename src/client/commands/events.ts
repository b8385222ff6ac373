import type { Command } from 'commander';
import type { Open } from './context.js';
import type { ListEventsOptions } from './list-events.js';
import {
  allOption,
  idsOption,
  limitOption,
  listOutputOption,
  type OutputFormat,
  outputOption,
  readId,
  sinceOption,
  untilOption,
  wordsOption,
} from './options.js';
import { attachmentTypes, levels, stages } from './values.js';

const listExamples = `
Examples:
  store events list --scan-id latest --levels ERROR,WARNING
  store events list -s "issue found" --has-attachments --since 30d
  store events list -l ERROR -o jsonl | jq -r .title
  store events list --stage AGENT_ACTION --follow`;

const getExamples = `
Examples:
  store events get latest
  store events get 01981c5e-7a60 -o json | jq .description`;

function addList(events: Command, open: Open): void {
  events
    .command('list')
    .aliases(['ls', 'event'])
    .summary('list events, newest first (also: event)')
    .description(
      'List events, newest first. Filters narrow each other; where a filter takes several values, divided by commas ' +
        'or given again, an event needs one of them.',
    )
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
    .addOption(listOutputOption())
    .addHelpText('after', listExamples)
    .action(async (options: ListEventsOptions) => {
      const { listEvents } = await import('./list-events.js');
      await listEvents(await open(), options);
    });
}

function addGet(events: Command, open: Open): void {
  events
    .command('get')
    .alias('g')
    .summary('show one event in full')
    .description('Show one event with its description and attachments.')
    .argument('<id>', 'the id of the event', readId)
    .addOption(outputOption())
    .addHelpText('after', getExamples)
    .action(async (id: string, { output }: { output: OutputFormat }) => {
      const { showEvent } = await import('./show-event.js');
      await showEvent(await open(), id, output);
    });
}

export function addEvents(events: Command, open: Open): void {
  addList(events, open);
  addGet(events, open);
}
