import { Argument, type Command } from 'commander';
import type { Open } from './context.js';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

const examples = `
Examples:
  source <(store completion bash)                 # in ~/.bashrc
  source <(store completion zsh)                  # in ~/.zshrc, after compinit
  store completion fish > ~/.config/fish/completions/store.fish`;

export function configureCompletion(completion: Command, open: Open): void {
  completion
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', examples)
    .action(async (shell: Shell) => {
      const { printCompletion } = await import('./print-completion.js');
      await printCompletion((await open()).output, completion.parent ?? completion, shell);
    });
}
