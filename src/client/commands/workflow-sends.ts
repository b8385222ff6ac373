import { type Command, Option } from 'commander';
import type { Open } from './context.js';
import { allOption, limitOption, listOutputOption, type OutputFormat, outputOption, readId } from './options.js';
import type { ListOptions } from './print-list.js';
import type { RotationChoices } from './workflow-send-actions.js';

const runsExamples = `
Examples:
  store workflows runs latest
  store workflows runs latest --limit 5 -o csv`;

const testExamples = `
Examples:
  store workflows list -o json | jq -r '.[0].id' | xargs store workflows test`;

const rotateExamples = `
Examples:
  store workflows list -o json | jq -r '.[0].id' | xargs store workflows rotate-secret`;

function addRuns(workflows: Command, open: Open): void {
  workflows
    .command('runs')
    .summary('list the runs of a workflow, newest first')
    .description('List the runs of a workflow, newest first: what set each off, and what became of it.')
    .argument('<id>', 'the id of the workflow', readId)
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(listOutputOption())
    .addHelpText('after', runsExamples)
    .action(async (id: string, options: ListOptions) => {
      const { listRuns } = await import('./workflow-send-actions.js');
      await listRuns(await open(), id, options);
    });
}

function addTest(workflows: Command, open: Open): void {
  workflows
    .command('test')
    .summary('send a sample to the receivers of a workflow')
    .description(
      'Send a sample of what the trigger sends, marked as one, to the receiver of each action, and show what it answers.',
    )
    .argument('<id>', 'the id of the workflow', readId)
    .addOption(outputOption())
    .addHelpText('after', `\nExit codes: 0 when every receiver took it, else 1.\n${testExamples}`)
    .action(async (id: string, { output }: { output: OutputFormat }) => {
      const { testWorkflow } = await import('./workflow-send-actions.js');
      await testWorkflow(await open(), id, output);
    });
}

function addRotation(workflows: Command, open: Open): void {
  workflows
    .command('rotate-secret')
    .summary('give an action a new secret')
    .description(
      'Give an action of a workflow a new secret to sign by, which is shown this once. For a day, the one before signs too.',
    )
    .argument('<id>', 'the id of the workflow', readId)
    .addOption(new Option('--action <id>', 'which action, where there are several').argParser(readId))
    .addOption(outputOption())
    .addHelpText('after', rotateExamples)
    .action(async (id: string, choices: RotationChoices) => {
      const { rotateSecret } = await import('./workflow-send-actions.js');
      await rotateSecret(await open(), id, choices);
    });
}

/** `workflows runs`, `workflows test` and `workflows rotate-secret`. */
export function addSends(workflows: Command, open: Open): void {
  addRuns(workflows, open);
  addTest(workflows, open);
  addRotation(workflows, open);
}
