import type { Command } from 'commander';
import type { Open } from './context.js';
import type { ListDeliveriesOptions } from './delivery-actions.js';
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
import { deliveryStatuses } from './values.js';

const listExamples = `
Examples:
  store deliveries list
  store deliveries list --statuses EXHAUSTED,RETRYING --since 7d`;

const getExamples = `
Examples:
  store deliveries get latest
  store deliveries get latest -o json | jq '.attempts[-1]'`;

const payloadExamples = `
Examples:
  store deliveries payload latest | jq .
  store deliveries payload latest > payload.json`;

const replayExamples = `
Examples:
  store deliveries replay latest`;

const replayAllExamples = `
Examples:
  store workflows list -o json | jq -r '.[0].id' | xargs store deliveries replay-all --since 24h`;

function addList(deliveries: Command, open: Open): void {
  deliveries
    .command('list')
    .alias('ls')
    .summary('list what workflows sent, newest first')
    .description('List the deliveries of workflows, newest first. Filters narrow each other.')
    .addOption(
      wordsOption('--statuses <statuses>', `deliveries in these: ${deliveryStatuses.join(', ')}`, deliveryStatuses),
    )
    .addOption(idsOption('-w, --workflow-id <id>', 'deliveries of this workflow'))
    .addOption(sinceOption('deliveries'))
    .addOption(untilOption('deliveries'))
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(listOutputOption())
    .addHelpText('after', listExamples)
    .action(async (options: ListDeliveriesOptions) => {
      const { listDeliveries } = await import('./delivery-actions.js');
      await listDeliveries(await open(), options);
    });
}

export function addDeliveries(deliveries: Command, open: Open): void {
  addList(deliveries, open);
  deliveries
    .command('get')
    .alias('g')
    .summary('show one delivery and its attempts')
    .description('Show one delivery: each attempt, and what the receiver answered.')
    .argument('<id>', 'the id of the delivery', readId)
    .addOption(outputOption())
    .addHelpText('after', getExamples)
    .action(async (id: string, { output }: { output: OutputFormat }) => {
      const { showDelivery } = await import('./delivery-actions.js');
      await showDelivery(await open(), id, output);
    });
  addPayload(deliveries, open);
  addReplays(deliveries, open);
}

function addPayload(deliveries: Command, open: Open): void {
  deliveries
    .command('payload')
    .summary('print what a delivery sends')
    .description('Print the very bytes that a delivery sends, for admins: they may hold credentials.')
    .argument('<id>', 'the id of the delivery', readId)
    .addHelpText('after', payloadExamples)
    .action(async (id: string) => {
      const { printPayload } = await import('./delivery-actions.js');
      await printPayload(await open(), id);
    });
}

function addReplays(deliveries: Command, open: Open): void {
  deliveries
    .command('replay')
    .summary('send a delivery again')
    .description('Send a delivery again: the same bytes, in a new series of attempts.')
    .argument('<id>', 'the id of the delivery', readId)
    .addOption(outputOption())
    .addHelpText('after', replayExamples)
    .action(async (id: string, { output }: { output: OutputFormat }) => {
      const { replayDelivery } = await import('./delivery-actions.js');
      await replayDelivery(await open(), id, output);
    });
  deliveries
    .command('replay-all')
    .summary('send again what was given up of a workflow')
    .description(
      'Send again all deliveries of a workflow that were given up since a time: say, since the receiver broke.',
    )
    .argument('<workflow>', 'the id of the workflow', readId)
    .addOption(sinceOption('deliveries that were given up').makeOptionMandatory())
    .addOption(outputOption())
    .addHelpText('after', replayAllExamples)
    .action(async (workflow: string, { since, output }: { since: string; output: OutputFormat }) => {
      const { replayDeliveries } = await import('./delivery-actions.js');
      await replayDeliveries(await open(), workflow, since, output);
    });
}
