/**
 * Whether a date field holds all that is being typed: a browser reports the year at each digit, `0002` and `0020` before `2026`.
 */
export const isWhole = (value: string): boolean => value === '' || value >= '1900';
