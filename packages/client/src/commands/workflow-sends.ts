import { type Command, Option } from 'commander';
import type { Open } from './context.js';
import { outputOption, readId } from './options.js';
import type { ListOptions } from './print-list.js';
import { addCommand, addForOne, addListCommand } from './usual-commands.js';
import type { RotationChoices } from './workflow-send-actions.js';

function addRuns(workflows: Command, open: Open): void {
  addListCommand(workflows, {
    name: 'runs',
    summary: 'list the runs of a workflow, newest first',
    description: 'List the runs of a workflow, newest first: what set each off, and what became of it.',
    examples: ['store workflows runs latest', 'store workflows runs latest --limit 5 -o csv'],
  })
    .argument('<id>', 'the id of the workflow', readId)
    .action(async (id: string, options: ListOptions) => {
      const { listRuns } = await import('./workflow-send-actions.js');
      await listRuns(await open(), id, options);
    });
}

function addTest(workflows: Command, open: Open): void {
  const usage = {
    name: 'test',
    one: 'workflow',
    summary: 'send a sample to the receivers of a workflow',
    description:
      'Send a sample of what the trigger sends, marked as one, to the receiver of each action, and show what it answers.',
    note: 'Exit codes: 0 when every receiver took it, else 1.',
    examples: ["store workflows list -o json | jq -r '.[0].id' | xargs store workflows test"],
  };
  addForOne(workflows, open, usage, async () => (await import('./workflow-send-actions.js')).testWorkflow);
}

function addRotation(workflows: Command, open: Open): void {
  addCommand(workflows, {
    name: 'rotate-secret',
    summary: 'give an action a new secret',
    description:
      'Give an action of a workflow a new secret to sign by, which is shown this once. For a day, the one before signs too.',
    examples: ["store workflows list -o json | jq -r '.[0].id' | xargs store workflows rotate-secret"],
  })
    .argument('<id>', 'the id of the workflow', readId)
    .addOption(new Option('--action <id>', 'which action, where there are several').argParser(readId))
    .addOption(outputOption())
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
