import type { Command, Option } from 'commander';
import type { Context, Open } from './context.js';
import { allOption, limitOption, listOutputOption, type OutputFormat, outputOption, readId } from './options.js';

/** A command's description of itself in its help. */
export interface Usage {
  name: string;
  alias?: string;
  summary: string;
  description: string;
  /** The text above the examples. */
  note?: string;
  examples: readonly string[];
}

/** A command of a group, with its help. */
export function addCommand(group: Command, { name, alias, summary, description, note, examples }: Usage): Command {
  const command = group.command(name).summary(summary).description(description);
  if (alias !== undefined) command.alias(alias);
  const lines = ['Examples:', ...examples.map((example) => `  ${example}`)];
  return command.addHelpText('after', `${note === undefined ? '' : `\n${note}\n`}\n${lines.join('\n')}`);
}

/** A command that prints a list, with options for its filters, its length and its format. */
export function addListCommand(group: Command, usage: Usage, filters: readonly Option[] = []): Command {
  const command = addCommand(group, usage);
  for (const option of [...filters, limitOption(), allOption(), listOutputOption()]) command.addOption(option);
  return command;
}

/** The command `list`, whose options are those of `filters`: Commander does not type them. */
export function addList(
  group: Command,
  open: Open,
  usage: Omit<Usage, 'name' | 'alias'>,
  filters: readonly Option[],
  load: () => Promise<(context: Context, options: never) => Promise<void>>,
): void {
  addListCommand(group, { name: 'list', alias: 'ls', ...usage }, filters).action(async (options: unknown) => {
    const list = await load();
    await list(await open(), options as never);
  });
}

/** A command that takes the id of one thing, such as a scan, and prints it. */
export function addForOne(
  group: Command,
  open: Open,
  { one, ...usage }: Usage & { one: string },
  load: () => Promise<(context: Context, id: string, output: OutputFormat) => Promise<void>>,
): void {
  addCommand(group, usage)
    .argument('<id>', `the id of the ${one}`, readId)
    .addOption(outputOption())
    .action(async (id: string, { output }: { output: OutputFormat }) => {
      const act = await load();
      await act(await open(), id, output);
    });
}
