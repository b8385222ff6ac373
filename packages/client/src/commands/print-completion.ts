import type { Command, Option } from 'commander';
import type { Output } from '../output/output.js';
import { WordsOption } from './options.js';

/** What may follow a command's name: commands or options, and the words that options take. */
interface Place {
  /** The command with its parents, as typed: `store events list`. */
  path: string;
  words: Word[];
  /** The words of each flag, short or long; a flag without words takes a free value. */
  values: Map<string, readonly string[]>;
  /** The flags that take a file, and whether the command itself does. */
  fileFlags: string[];
  takesFile: boolean;
}

interface Word {
  word: string;
  about: string;
}

function wordsOf(option: Option): readonly string[] {
  return option instanceof WordsOption ? option.words : (option.argChoices ?? []);
}

function flagsOf({ short, long }: Option): string[] {
  return [short, long].filter((flag) => flag !== undefined && flag !== null);
}

function placeOf(command: Command, path: string): Place {
  const help = command.createHelp();
  const options = help.visibleOptions(command);
  const [first] = command.registeredArguments;
  const values = new Map<string, readonly string[]>();
  for (const option of options) {
    if (option.required || option.optional) for (const flag of flagsOf(option)) values.set(flag, wordsOf(option));
  }
  return {
    path,
    words: [
      ...help.visibleCommands(command).map((one) => ({ word: one.name(), about: one.summary() || one.description() })),
      ...(first?.argChoices ?? []).map((word) => ({ word, about: '' })),
      ...options.map((option) => ({ word: option.long ?? option.flags, about: option.description })),
    ],
    values,
    fileFlags: options.filter(({ flags }) => flags.includes('<file>')).flatMap(flagsOf),
    takesFile: command.registeredArguments.some((argument) => /file|report/.test(argument.name())),
  };
}

function placesOf(command: Command, path: string): Place[] {
  const below = command.commands.flatMap((one) =>
    [one.name(), ...one.aliases()].flatMap((name) => placesOf(one, `${path} ${name}`)),
  );
  return [placeOf(command, path), ...below];
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * A shell function for bash and zsh that sets `offered` according to `place` (the commands so far) and `last` (the previous
 * word). Its variables avoid names with a special meaning in a shell, such as path in zsh.
 */
function caseFunction(places: readonly Place[]): string {
  const values = places.flatMap(({ path, values: given }) =>
    [...given].map(([flag, words]) => `    ${quoted(`${path} ${flag}`)}) offered=${quoted(words.join(' '))}; return;;`),
  );
  const words = places.map(
    ({ path, words: given }) => `    ${quoted(path)}) offered=${quoted(given.map(({ word }) => word).join(' '))};;`,
  );
  const paths = places.map(({ path }) => quoted(path)).join('|');
  return `_store_words() {
  local place=store last=$1 word
  shift
  for word in "$@"; do
    case "$place $word" in ${paths}) place="$place $word";; esac
  done
  offered=
  case "$place $last" in
${values.join('\n')}
  esac
  case "$place" in
${words.join('\n')}
  esac
}
`;
}

function bash(places: readonly Place[]): string {
  return `${caseFunction(places)}_store() {
  local offered
  _store_words "\${COMP_WORDS[COMP_CWORD-1]}" "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  COMPREPLY=($(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _store store
`;
}

function zsh(places: readonly Place[]): string {
  return `#compdef store
${caseFunction(places)}_store() {
  local offered
  local -a typed
  typed=("\${(@)words[2,CURRENT-1]}")
  _store_words "\${words[CURRENT-1]}" "\${typed[@]}"
  [[ -n $offered ]] && compadd -- \${=offered} || _files
}
compdef _store store
`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words, values, fileFlags, takesFile }) => [
    ...words.map(
      ({ word, about }) => `complete -c store -n ${quoted(`_store_at ${path}`)} -a ${quoted(word)} -d ${quoted(about)}`,
    ),
    ...[...values].flatMap(([flag, given]) =>
      given.map((word) => `complete -c store -n ${quoted(`_store_after ${path} ${flag}`)} -a ${quoted(word)}`),
    ),
    ...fileFlags.map((flag) => `complete -c store -n ${quoted(`_store_after ${path} ${flag}`)} -F`),
    ...(takesFile ? [`complete -c store -n ${quoted(`_store_at ${path}`)} -F`] : []),
  ]);
  const paths = places.map(({ path }) => quoted(path)).join(' ');
  const flags = places.flatMap(({ path, values }) => [...values.keys()].map((flag) => quoted(`${path} ${flag}`)));
  return `function _store_path
  set -l path store
  for word in (commandline -opc)[2..-1]
    contains -- "$path $word" ${paths}; and set path "$path $word"
  end
  echo $path
end
function _store_last
  set -l typed (commandline -opc)
  echo (_store_path) $typed[-1]
end
function _store_at
  contains -- (_store_last) ${flags.join(' ')}; and return 1
  test (_store_path) = "$argv"
end
function _store_after
  test (_store_last) = "$argv"
end
complete -c store -f
${lines.join('\n')}
`;
}

const scripts = { bash, zsh, fish };

/** `completion`: a script that completes commands, options and their words in a shell. */
export async function printCompletion(output: Output, store: Command, shell: keyof typeof scripts): Promise<void> {
  await output.write(scripts[shell](placesOf(store, 'store')));
}
