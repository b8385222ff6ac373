import type { Command } from 'commander';
import type { Open } from './context.js';
import { allOption, limitOption, listOutputOption, type OutputFormat, outputOption, readId } from './options.js';
import type { SearchListOptions } from './resource-views.js';

/** How the resources of a kind are told of: those that have a name, and are listed by it. */
export interface Told {
  /** In the plural, as profiles. */
  name: string;
  one: string;
  description: string;
  examples: string;
}

/** The command `list`, with a search by name. */
export function addList(
  resources: Command,
  open: Open,
  { name, description, examples }: Told,
  load: () => Promise<(context: Awaited<ReturnType<Open>>, options: SearchListOptions) => Promise<void>>,
): void {
  resources
    .command('list')
    .alias('ls')
    .summary(`list ${name}, newest first`)
    .description(`List ${name}, newest first${description}`)
    .option('-s, --search <text>', `${name} with this text in the name`)
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(listOutputOption())
    .addHelpText('after', examples)
    .action(async (options: SearchListOptions) => {
      const list = await load();
      await list(await open(), options);
    });
}

/** The command `get`. */
export function addGet(
  resources: Command,
  open: Open,
  { one, description, examples }: Omit<Told, 'name'>,
  load: () => Promise<(context: Awaited<ReturnType<Open>>, id: string, format: OutputFormat) => Promise<void>>,
): void {
  resources
    .command('get')
    .alias('g')
    .summary(`show one ${one}`)
    .description(`Show one ${one}${description}`)
    .argument('<id>', `the id of the ${one}`, readId)
    .addOption(outputOption())
    .addHelpText('after', examples)
    .action(async (id: string, { output }: { output: OutputFormat }) => {
      const show = await load();
      await show(await open(), id, output);
    });
}
