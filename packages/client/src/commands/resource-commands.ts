import { type Command, Option } from 'commander';
import type { Open } from './context.js';
import { type OutputFormat, outputOption, readId } from './options.js';
import type { Resource } from './resource.js';
import type { PageOfOne } from './open-page.js';
import { addCommand, addForOne, addList as addUsualList } from './usual-commands.js';

/** The names of a kind of resource. */
interface Words {
  /** In the plural, as profiles. */
  name: string;
  one: string;
}

/** How the help describes a kind of resource. */
export interface Told extends Words {
  /** Loads the implementation of the commands when one of them runs. */
  load: () => Promise<Resource>;
  /** The page of the console for one of them. */
  page?: PageOfOne;
}

/** The end of the help of a command that reads a file. */
interface FileHelp {
  note: string;
  examples: readonly string[];
}

interface FileOptions {
  file: string;
  output: OutputFormat;
}

const a = (one: string) => `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`;

/** The command `list`, with a search by name. */
export function addList(
  resources: Command,
  open: Open,
  { name, load }: Told,
  description: string,
  examples: string[],
): void {
  const usage = {
    summary: `list ${name}, newest first`,
    description: `List ${name}, newest first${description}`,
    examples,
  };
  const search = new Option('-s, --search <text>', `${name} with this text in the name`);
  addUsualList(resources, open, usage, [search], async () => (await load()).list);
}

/** The command `get`. */
export function addGet(
  resources: Command,
  open: Open,
  { one, load, page }: Told,
  description: string,
  examples: string[],
): void {
  const usage = { summary: `show one ${one}`, description: `Show one ${one}${description}`, examples };
  const command = { name: 'get', alias: 'g', one, ...usage, ...(page && { page }) };
  addForOne(resources, open, command, async () => (await load()).show);
}

/** The command `create`, with a JSON file. */
export function addCreate(
  resources: Command,
  open: Open,
  { one, note, examples }: Words & FileHelp,
  load: () => Promise<Resource['create']>,
): void {
  const usage = { summary: `make ${a(one)}`, description: `Make ${a(one)} from a file.`, note, examples };
  addCommand(resources, { name: 'create', ...usage })
    .requiredOption('-f, --file <file>', `the ${one} as JSON, or - for standard input`)
    .addOption(outputOption())
    .action(async ({ file, output }: FileOptions) => {
      const create = await load();
      await create(await open(), file, output);
    });
}

/** The command `update`, with a JSON file. */
export function addUpdate(
  resources: Command,
  open: Open,
  { one, kept, note, examples }: Words & FileHelp & { kept: string },
  load: () => Promise<Resource['update']>,
): void {
  const description = `Change what a file names of ${a(one)}. ${kept}`;
  addCommand(resources, { name: 'update', summary: `change ${a(one)}`, description, note, examples })
    .argument('<id>', `the id of the ${one}`, readId)
    .requiredOption('-f, --file <file>', 'the changes as JSON, or - for standard input')
    .addOption(outputOption())
    .action(async (id: string, { file, output }: FileOptions) => {
      const update = await load();
      await update(await open(), id, file, output);
    });
}

/** An example of a resource's content, and of a change to it. */
export interface Bodies {
  make: object;
  change: object;
}

const echo = (body: object) => `echo '${JSON.stringify(body).replaceAll('":', '": ').replaceAll(',"', ', "')}'`;

/** The commands `create`, `update` and `delete`: the first two with a JSON file, as printed by `get -o json`. */
export function addChanges(resources: Command, open: Open, { load, ...words }: Told, { make, change }: Bodies): void {
  const { name } = words;
  const note = `The file holds JSON, as "store ${name} get ID -o json" prints it and /docs\ndescribes it.`;
  const creation = { ...words, note, examples: [`${echo(make)} | store ${name} create -f -`] };
  addCreate(resources, open, creation, async () => (await load()).create);
  const kept = 'What the file leaves out stays as it is.';
  const update = { ...words, kept, note, examples: [`${echo(change)} | store ${name} update latest -f -`] };
  addUpdate(resources, open, update, async () => (await load()).update);
  addDelete(resources, open, words, async () => (await load()).remove);
}

/** The command `delete`. */
export function addDelete(
  resources: Command,
  open: Open,
  { name, one }: Words,
  load: () => Promise<Resource['remove']>,
): void {
  const usage = {
    name: 'delete',
    one,
    summary: `delete ${a(one)}`,
    description: `Delete ${a(one)}. It cannot be brought back.`,
    examples: [`store ${name} delete 01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4`],
  };
  addForOne(resources, open, usage, load);
}
