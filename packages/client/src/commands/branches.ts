import { type Command, Option } from 'commander';
import type { CloseBranchOptions } from './branch-actions.js';
import type { Open } from './context.js';
import { idsOption, outputOption, readId, wordOption } from './options.js';
import { addCommand, addList } from './usual-commands.js';
import { branchStates } from '../values.js';

export function addBranches(branches: Command, open: Open): void {
  const usage = {
    summary: 'list the branches of assets, newest first',
    description: 'List the branches of assets, newest first. Filters narrow each other.',
    examples: ['store branches list --state OPEN', 'store branches list -s feature/ -o jsonl | jq -r .name'],
  };
  const filters = [
    new Option('-s, --search <text>', 'branches with this text in the name'),
    idsOption('-a, --asset-id <id>', 'branches of this asset'),
    wordOption('--state <state>', 'OPEN or CLOSED; both if left out', branchStates),
  ];
  addList(branches, open, usage, filters, async () => (await import('./branch-actions.js')).listBranches);
  addCommand(branches, {
    name: 'close',
    summary: 'close a branch that was merged or deleted',
    description:
      'Close a branch that was merged or deleted: the issues that only it had are resolved. A name without an open ' +
      'branch closes nothing, so that a pipeline may close every branch. A scan opens it again.',
    examples: ['store branches close feature/search', 'store branches close "$GITHUB_HEAD_REF" --asset-id latest'],
  })
    .argument('<name>', 'the name of the branch')
    .option('-a, --asset-id <id>', 'only the branch of this asset; of all assets if left out', readId)
    .addOption(outputOption())
    .action(async (name: string, options: CloseBranchOptions) => {
      const { closeBranch } = await import('./branch-actions.js');
      await closeBranch(await open(), name, options);
    });
}
