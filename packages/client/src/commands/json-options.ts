import { type Command, InvalidArgumentError, Option } from 'commander';

function readFields(text: string): string[] {
  const fields = text.split(',').map((field) => field.trim());
  if (fields.every((field) => /^\w{1,64}$/.test(field))) return fields;
  throw new InvalidArgumentError('Give the names of fields, divided by commas, such as id,name.');
}

/** Gives every command that prints JSON the options that change it. */
export function addJsonOptions(command: Command): void {
  command.commands.forEach(addJsonOptions);
  if (!command.options.some(({ long }) => long === '--output')) return;
  command
    .addOption(new Option('--json <fields>', 'print these fields alone, as JSON: id,name').argParser(readFields))
    .addOption(new Option('--jq <expression>', 'print what jq makes of the JSON'));
}
