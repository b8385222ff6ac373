import { InvalidArgumentError, Option } from 'commander';
import { nearestWord } from './nearest-word.js';
import { readTime } from './times.js';
import { detailFormats, listFormats, roles } from '../values.js';

/** At least 8 characters of an id, or the word for the newest one. */
const idForm =
  /^(latest|[0-9a-f]{8}(-[0-9a-f]{0,4}|-[0-9a-f]{4}-[0-9a-f]{0,4}|(-[0-9a-f]{4}){2}-[0-9a-f]{0,4}|(-[0-9a-f]{4}){3}-[0-9a-f]{0,12})?)$/i;
const mostEntries = 10_000;
const usualEntries = 100;

export type OutputFormat = (typeof detailFormats)[number];
export type ListFormat = (typeof listFormats)[number];

/** An option whose values completion knows. */
export class WordsOption extends Option {
  constructor(
    flags: string,
    description: string,
    readonly words: readonly string[],
  ) {
    super(flags, description);
  }
}

/** Reads an id of the service, or a prefix of one. */
export function readId(text: string): string {
  if (idForm.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError(
    'An id looks like 01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4; its first 8 characters, or `latest`, will do.',
  );
}

function readList<Value>(text: string, earlier: readonly Value[] | undefined, read: (part: string) => Value): Value[] {
  return [...(earlier ?? []), ...text.split(/(?<!\\),/).map((part) => read(part.replaceAll('\\,', ',').trim()))];
}

function readWord(text: string, values: readonly string[]): string {
  const value = values.find((candidate) => candidate.toUpperCase() === text.toUpperCase());
  if (value) return value;
  const known = new Map(values.map((one) => [one.toUpperCase(), one]));
  const near = known.get(nearestWord(text.toUpperCase(), [...known.keys()]) ?? '');
  const suggestion = near ? ` Did you mean ${near}?` : '';
  throw new InvalidArgumentError(`"${text}" is none of them: use ${values.join(', ')}.${suggestion}`);
}

function readLimit(text: string): number {
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= mostEntries) return limit;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${mostEntries}.`);
}

/** Shortens ids in tables as far as those shown stay apart. */
export function shortOption(): Option {
  return new Option('--short', 'shorten ids in the table, so that titles get the width');
}

/** An option for ids, separated by commas or repeated. */
export function idsOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string, earlier?: string[]) =>
    readList(text, earlier, readId),
  );
}

/** An option for texts, separated by commas or repeated. */
export function textsOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string, earlier?: string[]) =>
    readList(text, earlier, (part) => part),
  );
}

/** An option for the words of an enum in any case, separated by commas or repeated. */
export function wordsOption(flags: string, description: string, values: readonly string[]): Option {
  return new WordsOption(flags, description, values).argParser((text: string, earlier?: string[]) =>
    readList(text, earlier, (part) => readWord(part, values)),
  );
}

export function wordOption(flags: string, description: string, values: readonly string[]): Option {
  return new WordsOption(flags, description, values).argParser((text: string) => readWord(text, values));
}

export function roleOption(of: readonly string[] = roles): Option {
  return wordOption('--role <role>', `one of ${of.join(', ')}`, of);
}

export function timeOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string) => {
    const time = readTime(text, new Date());
    if (time) return time.toISOString();
    throw new InvalidArgumentError(
      'Give a time such as 2026-11-20T06:00Z or 2026-11-20, or how long ago it was: 90m, 24h, 7d, 2w.',
    );
  });
}

/** The options for a period. */
export function sinceOption(what: string): Option {
  return timeOption('--since <time>', `${what} of this time or later: 24h, 7d, 2026-11-20 (here), 2026-11-20T06:00Z`);
}
export function untilOption(what: string): Option {
  return timeOption('--until <time>', `${what} before this time`);
}

export function limitOption(): Option {
  return new Option('--limit <number>', `show at most so many, up to ${mostEntries}`)
    .default(usualEntries)
    .argParser(readLimit);
}

export function allOption(): Option {
  return new Option('--all', 'show all, however many').conflicts('limit');
}

/** How a list is printed. */
export function listOutputOption(): Option {
  return new Option('-o, --output <format>', 'how to print; jsonl is one object a line')
    .choices(listFormats)
    .default('table');
}

/** How one thing is printed. */
export function outputOption(): Option {
  return new Option('-o, --output <format>', 'how to print').choices(detailFormats).default('table');
}

/** A future moment, in the form that the service accepts. */
export function readMoment(text: string): string {
  const now = new Date();
  const time = readTime(text, now, 'after');
  if (time && time > now) return time.toISOString();
  throw new InvalidArgumentError(
    'Give a time to come, such as 2030-01-01, 2030-01-01T06:00Z, or in how long: 12h, 30d.',
  );
}
