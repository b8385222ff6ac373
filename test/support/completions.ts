import type { Command } from 'commander';
import { storeProgram } from '../../packages/client/src/program.js';

/** The words of a line of fish: plain, or in single quotes, where \\ and \' are the only escapes. */
function fishWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    if (character === ' ') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "'") {
      word ??= '';
      for (at++; line[at] !== "'"; at++) {
        if (at >= line.length) throw new Error(`A quote is not closed: ${line}`);
        if (line[at] === '\\' && /['\\]/.test(line[at + 1] ?? '')) at++;
        word += line[at];
      }
    } else if (character === '\\') {
      word = (word ?? '') + (line[++at] ?? '');
    } else if (/[();&|<>$"*?{}~#]/.test(character)) {
      throw new Error(`${character} stands unquoted: ${line}`);
    } else word = (word ?? '') + character;
  }
  return word === undefined ? words : [...words, word];
}

/** What the script for fish offers: the condition of each `complete`, evaluated by reading the script's own functions. */
export class FishCompletion {
  private readonly offers = new Map<string, string[]>();
  private readonly paths: ReadonlySet<string>;
  private readonly takingValues: ReadonlySet<string>;

  constructor(script: string) {
    const listAfter = (start: string) => {
      const line = script.split('\n').find((one) => one.trimStart().startsWith(start)) ?? '';
      const [list = ''] = line.slice(line.indexOf(start) + start.length).split('; and ');
      return new Set(fishWords(list));
    };
    this.paths = listAfter('contains -- "$path $word" ');
    this.takingValues = listAfter('contains -- (_store_last) ');
    for (const line of script.split('\n').filter((one) => one.startsWith('complete -c store -n '))) {
      const [, , , , condition = '', ...rest] = fishWords(line);
      const [kind, word = ''] = rest;
      if (kind === '-a') this.offers.set(condition, [...(this.offers.get(condition) ?? []), word]);
    }
  }

  /** What may follow these words. */
  after(words: readonly string[]): string[] {
    let path = 'store';
    for (const word of words) if (this.paths.has(`${path} ${word}`)) path = `${path} ${word}`;
    const last = `${path} ${words.at(-1) ?? 'store'}`;
    const ofFlag = this.offers.get(`_store_after ${last}`) ?? [];
    return this.takingValues.has(last) ? ofFlag : (this.offers.get(`_store_at ${path}`) ?? []);
  }
}

/** Every point at which a line may continue: after each command, by its name and aliases, and after each option with a value. */
export async function completionPlaces(): Promise<string[][]> {
  const discarding = { isTTY: false, write: () => true } as never;
  const store = await storeProgram({ stdout: discarding, stderr: discarding }, () => {
    throw new Error('No command runs here');
  });
  const placesOf = (command: Command, words: string[]): string[][] => [
    words,
    ...command.options
      .filter(({ required, optional, hidden }) => (required || optional) && !hidden)
      .map(({ long }) => [...words, long ?? '']),
    ...command.commands.flatMap((one) =>
      [one.name(), ...one.aliases()].flatMap((name) => placesOf(one, [...words, name])),
    ),
  ];
  return placesOf(store, []);
}
