import type { Command } from 'commander';
import type { Open } from './context.js';
import { allOption, limitOption, listOutputOption, type OutputFormat, outputOption, readId } from './options.js';
import type { ListOptions } from './print-list.js';
import { addDelete } from './resource-commands.js';
import { addSends } from './workflow-sends.js';

interface Format {
  output: OutputFormat;
}

const fileHelp = `
The file holds a workflow as JSON: {"name", "trigger", "conditions", "actions"}, as "store workflows get ID -o json"
prints one and /docs describes it.
`;

const listExamples = `
Examples:
  store workflows list
  store workflows list -o json | jq -r '.[] | select(.enabled) | .name'`;

const getExamples = `
Examples:
  store workflows get latest
  store workflows get latest -o json > workflow.json`;

const createExamples = `
Examples:
  store workflows create -f workflow.json
  jq '.name = "A copy"' workflow.json | store workflows create -f -`;

const updateExamples = `
Examples:
  store workflows update latest -f workflow.json
  echo '{"enabled": true}' | store workflows update latest -f -`;

const previewExamples = `
Examples:
  store workflows preview latest
  store workflows preview latest --full -o json | jq .scoped.issues`;

const runExamples = `
Examples:
  store workflows run latest`;

function addList(workflows: Command, open: Open): void {
  workflows
    .command('list')
    .alias('ls')
    .summary('list workflows, newest first')
    .description('List workflows, newest first.')
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(listOutputOption())
    .addHelpText('after', listExamples)
    .action(async (options: ListOptions) => {
      const { listWorkflows } = await import('./list-workflows.js');
      await listWorkflows(await open(), options);
    });
}

function addGet(workflows: Command, open: Open): void {
  workflows
    .command('get')
    .alias('g')
    .summary('show one workflow')
    .description('Show one workflow: when it runs, on what, and what it sends where.')
    .argument('<id>', 'the id of the workflow', readId)
    .addOption(outputOption())
    .addHelpText('after', getExamples)
    .action(async (id: string, { output }: Format) => {
      const { showWorkflow } = await import('./workflow-actions.js');
      await showWorkflow(await open(), id, output);
    });
}

function addCreate(workflows: Command, open: Open): void {
  workflows
    .command('create')
    .summary('make a workflow')
    .description('Make a workflow from a file.')
    .requiredOption('-f, --file <file>', 'the workflow as JSON, or - for standard input')
    .addOption(outputOption())
    .addHelpText('after', fileHelp + createExamples)
    .action(async ({ file, output }: Format & { file: string }) => {
      const { createWorkflow } = await import('./workflow-actions.js');
      await createWorkflow(await open(), file, output);
    });
}

function addUpdate(workflows: Command, open: Open): void {
  workflows
    .command('update')
    .summary('change a workflow')
    .description(
      'Change what a file names of a workflow. What the file leaves out, and masked secrets, stay as they are.',
    )
    .argument('<id>', 'the id of the workflow', readId)
    .requiredOption('-f, --file <file>', 'the changes as JSON, or - for standard input')
    .addOption(outputOption())
    .addHelpText('after', fileHelp + updateExamples)
    .action(async (id: string, { file, output }: Format & { file: string }) => {
      const { updateWorkflow } = await import('./workflow-actions.js');
      await updateWorkflow(await open(), id, file, output);
    });
}

function addPreview(workflows: Command, open: Open): void {
  workflows
    .command('preview')
    .summary('show what a run would send, and send nothing')
    .description('Show what a run would send now: how much of what, and where it would carry credentials.')
    .argument('<id>', 'the id of the workflow', readId)
    .option('--full', 'with -o json: the payloads whole, not the first 20 of each kind')
    .addOption(outputOption())
    .addHelpText('after', previewExamples)
    .action(async (id: string, options: Format & { full?: true }) => {
      const { previewWorkflow } = await import('./workflow-actions.js');
      await previewWorkflow(await open(), id, options);
    });
}

function addRun(workflows: Command, open: Open): void {
  workflows
    .command('run')
    .summary('run a workflow now')
    .description('Run a workflow now, on all that its conditions match, and print the id of the run.')
    .argument('<id>', 'the id of the workflow', readId)
    .addOption(outputOption())
    .addHelpText('after', runExamples)
    .action(async (id: string, { output }: Format) => {
      const { runWorkflow } = await import('./run-workflow.js');
      await runWorkflow(await open(), id, output);
    });
}

export function addWorkflows(workflows: Command, open: Open): void {
  addList(workflows, open);
  addGet(workflows, open);
  addCreate(workflows, open);
  addUpdate(workflows, open);
  addPreview(workflows, open);
  addRun(workflows, open);
  addSends(workflows, open);
  const load = async () => (await import('./workflow-actions.js')).deleteWorkflow;
  addDelete(workflows, open, { name: 'workflows', one: 'workflow', load });
}
