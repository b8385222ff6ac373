import type { Command } from 'commander';
import type { Open } from './context.js';
import { type OutputFormat, outputOption, readId } from './options.js';
import { addCreate, addDelete, addUpdate } from './resource-commands.js';
import { addCommand, addForOne, addList } from './usual-commands.js';
import { addSends } from './workflow-sends.js';

const workflow = { name: 'workflows', one: 'workflow' };

const note = `The file holds a workflow as JSON: {"name", "trigger", "conditions", "actions"}, as "store workflows get ID -o json"
prints one and /docs describes it.`;

function addReads(workflows: Command, open: Open): void {
  const listing = {
    page: 'scanning/workflows',
    summary: 'list workflows, newest first',
    description: 'List workflows, newest first.',
    examples: ['store workflows list', "store workflows list -o json | jq -r '.[] | select(.enabled) | .name'"],
  };
  addList(workflows, open, listing, [], async () => (await import('./list-workflows.js')).listWorkflows);
  const usage = {
    name: 'get',
    alias: 'g',
    one: 'workflow',
    page: { kind: 'WORKFLOW', path: 'scanning/workflows/{id}' } as const,
    summary: 'show one workflow',
    description: 'Show one workflow: when it runs, on what, and what it sends where.',
    examples: ['store workflows get latest', 'store workflows get latest -o json > workflow.json'],
  };
  addForOne(workflows, open, usage, async () => (await import('./workflow-actions.js')).showWorkflow);
}

function addChanges(workflows: Command, open: Open): void {
  const creation = {
    ...workflow,
    note,
    examples: [
      'store workflows create -f workflow.json',
      `jq '.name = "A copy"' workflow.json | store workflows create -f -`,
    ],
  };
  addCreate(workflows, open, creation, async () => (await import('./workflow-actions.js')).createWorkflow);
  const update = {
    ...workflow,
    kept: 'What the file leaves out, and masked secrets, stay as they are.',
    note,
    examples: [
      'store workflows update latest -f workflow.json',
      `echo '{"enabled": true}' | store workflows update latest -f -`,
    ],
  };
  addUpdate(workflows, open, update, async () => (await import('./workflow-actions.js')).updateWorkflow);
}

function addPreview(workflows: Command, open: Open): void {
  addCommand(workflows, {
    name: 'preview',
    summary: 'show what a run would send, and send nothing',
    description: 'Show what a run would send now: how much of what, and where it would carry credentials.',
    examples: ['store workflows preview latest', 'store workflows preview latest --full -o json | jq .scoped.issues'],
  })
    .argument('<id>', 'the id of the workflow', readId)
    .option('--full', 'with -o json: the payloads whole, not the first 20 of each kind')
    .addOption(outputOption())
    .action(async (id: string, options: { output: OutputFormat; full?: true }) => {
      const { previewWorkflow } = await import('./workflow-actions.js');
      await previewWorkflow(await open(), id, options);
    });
}

function addRun(workflows: Command, open: Open): void {
  const usage = {
    name: 'run',
    one: 'workflow',
    summary: 'run a workflow now',
    description: 'Run a workflow now, on all that its conditions match, and print the id of the run.',
    examples: ['store workflows run latest'],
  };
  addForOne(workflows, open, usage, async () => (await import('./run-workflow.js')).runWorkflow);
}

export function addWorkflows(workflows: Command, open: Open): void {
  addReads(workflows, open);
  addChanges(workflows, open);
  addPreview(workflows, open);
  addRun(workflows, open);
  addSends(workflows, open);
  addDelete(workflows, open, workflow, async () => (await import('./workflow-actions.js')).deleteWorkflow);
}
