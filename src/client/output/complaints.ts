import { harmlessText } from './harmless.js';

/** Writes a message to standard error. */
export function complain(message: string): void {
  process.stderr.write(`store: ${harmlessText(message)}\n`);
}
