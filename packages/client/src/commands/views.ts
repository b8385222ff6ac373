import { type Command, Option } from 'commander';
import type { Open } from './context.js';
import { sortOption } from './issue-filters.js';
import { type OutputFormat, outputOption } from './options.js';
import { addCommand, addList } from './usual-commands.js';
import type { ViewCreation } from './view-actions.js';

function addOne(views: Command, open: Open): void {
  addCommand(views, {
    name: 'show',
    alias: 'get',
    summary: 'show one saved view',
    description: 'Show one saved view: its filter, and its order.',
    examples: ["store views list -o json | jq -r '.[0].id' | xargs -r store views show"],
  })
    .argument('<view>', 'its name or id')
    .addOption(outputOption())
    .action(async (view: string, { output }: { output: OutputFormat }) => {
      const { showView } = await import('./view-actions.js');
      await showView(await open(), view, output);
    });
  addCommand(views, {
    name: 'delete',
    summary: 'delete a saved view',
    description: 'Delete a saved view. Workflows that use it as a condition then fail, and say so.',
    examples: ['store views delete "Critical and open"'],
  })
    .argument('<view>', 'its name or id')
    .addOption(outputOption())
    .action(async (view: string, { output }: { output: OutputFormat }) => {
      const { deleteView } = await import('./view-actions.js');
      await deleteView(await open(), view, output);
    });
}

export function addViews(views: Command, open: Open): void {
  const usage = {
    summary: 'list saved views, newest first',
    description: "List saved views of issues, newest first: the organization's, and your own.",
    examples: ['store views list', "store views list --jq 'map(.name)'"],
  };
  addList(views, open, usage, [], async () => (await import('./view-actions.js')).listViews);
  addCommand(views, {
    name: 'create',
    summary: 'save a view',
    description: 'Save a filter of issues under a name. The filter is JSON, as "store views show NAME -o json" has it.',
    examples: [
      `store views create "Critical and open" --shared --filter '{"severities": ["CRITICAL"], "statuses": ["OPEN"]}'`,
    ],
  })
    .argument('<name>', 'its name')
    .addOption(new Option('--filter <json>', 'the filter, as the list of issues takes it').default('{}'))
    .addOption(sortOption().default('created'))
    .option('--shared', 'for the whole organization; API keys make no others')
    .addOption(outputOption())
    .action(async (name: string, options: ViewCreation) => {
      const { createView } = await import('./view-actions.js');
      await createView(await open(), name, options);
    });
  addOne(views, open);
}
