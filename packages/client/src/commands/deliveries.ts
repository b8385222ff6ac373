import type { Command } from 'commander';
import type { Open } from './context.js';
import {
  idsOption,
  type OutputFormat,
  outputOption,
  readId,
  sinceOption,
  untilOption,
  wordsOption,
} from './options.js';
import { addCommand, addForOne, addList } from './usual-commands.js';
import { deliveryStatuses } from '../values.js';

function addDeliveryList(deliveries: Command, open: Open): void {
  const usage = {
    summary: 'list what workflows sent, newest first',
    description: 'List the deliveries of workflows, newest first. Filters narrow each other.',
    examples: ['store deliveries list', 'store deliveries list --statuses EXHAUSTED,RETRYING --since 7d'],
  };
  const filters = [
    wordsOption('--statuses <statuses>', `deliveries in these: ${deliveryStatuses.join(', ')}`, deliveryStatuses),
    idsOption('-w, --workflow-id <id>', 'deliveries of this workflow'),
    sinceOption('deliveries'),
    untilOption('deliveries'),
  ];
  addList(deliveries, open, usage, filters, async () => (await import('./delivery-actions.js')).listDeliveries);
}

function addGet(deliveries: Command, open: Open): void {
  const usage = {
    name: 'get',
    alias: 'g',
    one: 'delivery',
    summary: 'show one delivery and its attempts',
    description: 'Show one delivery: each attempt, and what the receiver answered.',
    examples: ['store deliveries get latest', "store deliveries get latest -o json | jq '.attempts[-1]'"],
  };
  addForOne(deliveries, open, usage, async () => (await import('./delivery-actions.js')).showDelivery);
}

function addPayload(deliveries: Command, open: Open): void {
  addCommand(deliveries, {
    name: 'payload',
    summary: 'print what a delivery sends',
    description: 'Print the very bytes that a delivery sends, for admins: they may hold credentials.',
    examples: ['store deliveries payload latest | jq .', 'store deliveries payload latest > payload.json'],
  })
    .argument('<id>', 'the id of the delivery', readId)
    .action(async (id: string) => {
      const { printPayload } = await import('./delivery-actions.js');
      await printPayload(await open(), id);
    });
}

function addReplays(deliveries: Command, open: Open): void {
  const usage = {
    name: 'replay',
    one: 'delivery',
    summary: 'send a delivery again',
    description: 'Send a delivery again: the same bytes, in a new series of attempts.',
    examples: ['store deliveries replay latest'],
  };
  addForOne(deliveries, open, usage, async () => (await import('./delivery-actions.js')).replayDelivery);
  addCommand(deliveries, {
    name: 'replay-all',
    summary: 'send again what was given up of a workflow',
    description:
      'Send again all deliveries of a workflow that were given up since a time: say, since the receiver broke.',
    examples: ["store workflows list -o json | jq -r '.[0].id' | xargs store deliveries replay-all --since 24h"],
  })
    .argument('<workflow>', 'the id of the workflow', readId)
    .addOption(sinceOption('deliveries that were given up').makeOptionMandatory())
    .addOption(outputOption())
    .action(async (workflow: string, { since, output }: { since: string; output: OutputFormat }) => {
      const { replayDeliveries } = await import('./delivery-actions.js');
      await replayDeliveries(await open(), workflow, since, output);
    });
}

export function addDeliveries(deliveries: Command, open: Open): void {
  addDeliveryList(deliveries, open);
  addGet(deliveries, open);
  addPayload(deliveries, open);
  addReplays(deliveries, open);
}
