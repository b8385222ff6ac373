import { harmlessText } from './harmless.js';

/** Says on standard error what went wrong, or is going on. */
export function complain(message: string): void {
  process.stderr.write(`store: ${harmlessText(message)}\n`);
}
