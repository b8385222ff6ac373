import type { Command } from 'commander';
import { makeContext } from './context.js';
import { limitOption, type OutputFormat, outputOption, readId } from './options.js';
import type { ListOptions } from './print-list.js';

const listExamples = `
Examples:
  store workflows list
  store workflows list -o json | jq -r '.[] | select(.enabled) | .name'`;

const runExamples = `
Examples:
  store workflows run 01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4`;

function addList(workflows: Command): void {
  workflows
    .command('list')
    .alias('ls')
    .summary('list workflows, newest first')
    .description('List workflows, newest first.')
    .addOption(limitOption())
    .addOption(outputOption())
    .addHelpText('after', listExamples)
    .action(async (options: ListOptions) => {
      const { listWorkflows } = await import('./list-workflows.js');
      await listWorkflows(makeContext(), options);
    });
}

function addRun(workflows: Command): void {
  workflows
    .command('run')
    .summary('run a workflow now')
    .description('Run a workflow now, on all that its conditions match, and print the id of the run.')
    .argument('<id>', 'the id of the workflow', readId)
    .addOption(outputOption())
    .addHelpText('after', runExamples)
    .action(async (id: string, { output }: { output: OutputFormat }) => {
      const { runWorkflow } = await import('./run-workflow.js');
      await runWorkflow(makeContext(), id, output);
    });
}

export function addWorkflows(store: Command): void {
  const workflows = store.command('workflows').alias('workflow').description('Read and run workflows.');
  addList(workflows);
  addRun(workflows);
}
