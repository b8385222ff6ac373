import type { Command } from 'commander';
import type { Open } from './context.js';
import { allOption, limitOption, listOutputOption, type OutputFormat, outputOption, readId } from './options.js';
import type { Resource, SearchListOptions } from './resource.js';

/** How the resources of a kind are told of. */
export interface Told {
  /** In the plural, as profiles. */
  name: string;
  one: string;
  /** Loads what the commands do, when one of them runs. */
  load: () => Promise<Resource>;
}

interface Format {
  output: OutputFormat;
}

const examplesOf = (...lines: string[]) => `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;

/** The command `list`, with a search by name. */
export function addList(
  resources: Command,
  open: Open,
  { name, load }: Told,
  description: string,
  examples: string[],
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
    .addHelpText('after', examplesOf(...examples))
    .action(async (options: SearchListOptions) => {
      const resource = await load();
      await resource.list(await open(), options);
    });
}

/** The command `get`. */
export function addGet(
  resources: Command,
  open: Open,
  { one, load }: Told,
  description: string,
  examples: string[],
): void {
  resources
    .command('get')
    .alias('g')
    .summary(`show one ${one}`)
    .description(`Show one ${one}${description}`)
    .argument('<id>', `the id of the ${one}`, readId)
    .addOption(outputOption())
    .addHelpText('after', examplesOf(...examples))
    .action(async (id: string, { output }: Format) => {
      const resource = await load();
      await resource.show(await open(), id, output);
    });
}

/** An example of what a resource is made of, and of what is changed of it. */
export interface Bodies {
  make: object;
  change: object;
}

const echo = (body: object) => `echo '${JSON.stringify(body).replaceAll('":', '": ').replaceAll(',"', ', "')}'`;

/** The commands `create`, `update` and `delete`: the first two by a file of JSON, as `get -o json` prints it. */
export function addChanges(resources: Command, open: Open, { name, one, load }: Told, { make, change }: Bodies): void {
  const fileHelp = `
The file holds JSON, as "store ${name} get ID -o json" prints it and /docs
describes it.
`;
  const a = /^[aeiou]/.test(one) ? 'an' : 'a';
  resources
    .command('create')
    .summary(`make ${a} ${one}`)
    .description(`Make ${a} ${one} from a file.`)
    .requiredOption('-f, --file <file>', `the ${one} as JSON, or - for standard input`)
    .addOption(outputOption())
    .addHelpText('after', fileHelp + examplesOf(`${echo(make)} | store ${name} create -f -`))
    .action(async ({ file, output }: Format & { file: string }) => {
      const resource = await load();
      await resource.create(await open(), file, output);
    });
  resources
    .command('update')
    .summary(`change ${a} ${one}`)
    .description(`Change what a file names of ${a} ${one}. What the file leaves out stays as it is.`)
    .argument('<id>', `the id of the ${one}`, readId)
    .requiredOption('-f, --file <file>', 'the changes as JSON, or - for standard input')
    .addOption(outputOption())
    .addHelpText('after', fileHelp + examplesOf(`${echo(change)} | store ${name} update latest -f -`))
    .action(async (id: string, { file, output }: Format & { file: string }) => {
      const resource = await load();
      await resource.update(await open(), id, file, output);
    });
  addDelete(resources, open, { name, one, load: async () => (await load()).remove });
}

/** The command `delete`. */
export function addDelete(
  resources: Command,
  open: Open,
  { name, one, load }: Omit<Told, 'load'> & { load: () => Promise<Resource['remove']> },
): void {
  const a = /^[aeiou]/.test(one) ? 'an' : 'a';
  resources
    .command('delete')
    .summary(`delete ${a} ${one}`)
    .description(`Delete ${a} ${one}. It cannot be brought back.`)
    .argument('<id>', `the id of the ${one}`, readId)
    .addOption(outputOption())
    .addHelpText('after', examplesOf(`store ${name} delete 01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4`))
    .action(async (id: string, { output }: Format) => {
      const remove = await load();
      await remove(await open(), id, output);
    });
}
