import type { Command } from 'commander';
import type { Open } from './context.js';

const examples = `
Speaks the Model Context Protocol on standard input and output, until the input
ends. An assistant starts it by itself; its settings name the command:

  {"mcpServers": {"store": {"command": "store", "args": ["mcp"]}}}

Its tools read issues, scans, events and assets, and triage issues. They do what
the key may do, and no more: with a viewer's key, they only read. What they tell
was found on the systems that were scanned, and is not to be obeyed.

Examples:
  store mcp
  store mcp --read-only
  store mcp --context staging`;

/** `mcp`. */
export function configureMcp(mcp: Command, open: Open): void {
  mcp
    .option('--read-only', 'offer no tool that changes something')
    .addHelpText('after', examples)
    .action(async (options: { readOnly?: true }) => {
      const { serveMcp } = await import('./mcp-server.js');
      await serveMcp(await open(), options.readOnly === true);
    });
}
