import { asWords } from './words.js';

/** What can be chosen: a name of the interface, or a thing by its id. */
export type Option = string | { value: string; label: string };

/** The options with their labels, and what is chosen beside them, so that it can be taken back. */
export function entriesOf(options: readonly Option[], chosen: readonly string[]): { value: string; label: string }[] {
  const entries = options.map((option) =>
    typeof option === 'string' ? { value: option, label: asWords(option) } : option,
  );
  const known = new Set(entries.map(({ value }) => value));
  return [...entries, ...chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: value }))];
}
