import { type Command, InvalidArgumentError } from 'commander';
import type { Open } from './context.js';
import { type OutputFormat, outputOption } from './options.js';
import { addCommand } from './usual-commands.js';

const nameForm = /^[a-z0-9][a-z0-9._-]{0,62}$/;

function readName(text: string): string {
  if (nameForm.test(text)) return text;
  throw new InvalidArgumentError('A context is named as in store login --name staging.');
}

/** `contexts list`, `contexts use` and `contexts remove`. */
export function addContexts(contexts: Command, open: Open): void {
  addCommand(contexts, {
    name: 'list',
    alias: 'ls',
    summary: 'list the keys that are kept, by name',
    description: 'List the contexts: each a name with an address and a key. Keys are not shown.',
    examples: ['store contexts list', "store contexts list --jq '.[] | select(.inUse) | .address'"],
  })
    .addOption(outputOption())
    .action(async ({ output }: { output: OutputFormat }) => {
      const { listContexts } = await import('./context-actions.js');
      await listContexts(await open(), output);
    });
  addCommand(contexts, {
    name: 'use',
    summary: 'choose the context of commands that name none',
    description: 'Choose the context of commands that name none. "default" is the one of store login without a name.',
    examples: ['store contexts use staging', 'store contexts use default'],
  })
    .argument('<name>', 'the context', readName)
    .action(async (name: string) => {
      const { chooseContext } = await import('./context-actions.js');
      chooseContext(await open(), name);
    });
  addCommand(contexts, {
    name: 'remove',
    summary: 'forget the key of a context',
    description: 'Forget a context and its key. The key itself goes on until it is revoked: store keys revoke.',
    examples: ['store contexts remove staging'],
  })
    .argument('<name>', 'the context', readName)
    .action(async (name: string) => {
      const { forgetContext } = await import('./context-actions.js');
      forgetContext(await open(), name);
    });
}
