import { asWords } from './words.js';

/** An option: a name of the interface, or an id. */
export type Option = string | { value: string; label: string };

/** The options with their labels, and chosen ones that are not among them, so that they can be deselected. */
export function entriesOf(options: readonly Option[], chosen: readonly string[]): { value: string; label: string }[] {
  const entries = options.map((option) =>
    typeof option === 'string' ? { value: option, label: asWords(option) } : option,
  );
  const known = new Set(entries.map(({ value }) => value));
  return [...entries, ...chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: value }))];
}

/** A choice by the first of its values, and how many there are beyond it. */
export function choiceTold(label: string, [first, ...rest]: readonly string[]): string {
  if (first === undefined) return label;
  return `${label}: ${first}${rest.length > 0 ? ` +${rest.length}` : ''}`;
}
