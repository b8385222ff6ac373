import { type Command, Option } from 'commander';
import type { Context, Open } from './context.js';
import type { PageOfOne } from './open-page.js';
import {
  allOption,
  limitOption,
  listOutputOption,
  type OutputFormat,
  outputOption,
  readId,
  shortOption,
} from './options.js';

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
  for (const option of [...filters, limitOption(), allOption(), shortOption(), listOutputOption()])
    command.addOption(option);
  return command;
}

/** Opens the page of the console instead of printing. */
export function webOption(): Option {
  return new Option('--web', 'open it in the console instead');
}

/** The command `list`, whose options are those of `filters`: Commander does not type them. */
export function addList(
  group: Command,
  open: Open,
  { page, ...usage }: Omit<Usage, 'name' | 'alias'> & { page?: string },
  filters: readonly Option[],
  load: () => Promise<(context: Context, options: never) => Promise<void>>,
): void {
  const more = page === undefined ? filters : [...filters, webOption()];
  addListCommand(group, { name: 'list', alias: 'ls', ...usage }, more).action(async (options: { web?: true }) => {
    if (options.web && page !== undefined) {
      const { openPage } = await import('./open-page.js');
      return openPage(await open(), page, options);
    }
    const list = await load();
    await list(await open(), options as never);
  });
}

/** A command that takes the id of one thing, such as a scan, and prints it. */
export function addForOne(
  group: Command,
  open: Open,
  { one, page, ...usage }: Usage & { one: string; page?: PageOfOne },
  load: () => Promise<(context: Context, id: string, output: OutputFormat) => Promise<void>>,
): void {
  const command = addCommand(group, usage).argument('<id>', `the id of the ${one}`, readId);
  if (page) command.addOption(webOption());
  command
    .addOption(outputOption())
    .action(async (id: string, { output, web }: { output: OutputFormat; web?: true }) => {
      if (web && page) {
        const { openPageOf } = await import('./open-page.js');
        return openPageOf(await open(), page, id);
      }
      const act = await load();
      await act(await open(), id, output);
    });
}
