import { InvalidArgumentError, Option } from 'commander';
import { outputFormats } from './values.js';

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const mostEntries = 10_000;
const usualEntries = 100;

export type OutputFormat = (typeof outputFormats)[number];

/** Parses an id of the service. */
export function readId(text: string): string {
  if (uuidForm.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('An id looks like 01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4.');
}

function readList<Value>(text: string, earlier: readonly Value[] | undefined, read: (part: string) => Value): Value[] {
  return [...(earlier ?? []), ...text.split(',').map((part) => read(part.trim()))];
}

function readWord<Value extends string>(text: string, values: readonly Value[]): Value {
  const value = values.find((candidate) => candidate === text.toUpperCase());
  if (value) return value;
  throw new InvalidArgumentError(`"${text}" is none of them: use ${values.join(', ')}.`);
}

function readLimit(text: string): number {
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= mostEntries) return limit;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${mostEntries}.`);
}

/** An option for ids, separated by commas or repeated. */
export function idsOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string, earlier?: string[]) =>
    readList(text, earlier, readId),
  );
}

/** An option for the words of an enum in any case, separated by commas or repeated. */
export function wordsOption(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).argParser((text: string, earlier?: string[]) =>
    readList(text, earlier, (part) => readWord(part, values)),
  );
}

export function wordOption(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).argParser((text: string) => readWord(text, values));
}

export function limitOption(): Option {
  return new Option('--limit <number>', `show at most so many, up to ${mostEntries}`)
    .default(usualEntries)
    .argParser(readLimit);
}

export function outputOption(): Option {
  return new Option('-o, --output <format>', 'how to print').choices(outputFormats).default('table');
}
