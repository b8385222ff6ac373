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

const replayExamples = `
Examples:
  store deliveries replay latest`;

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
}
