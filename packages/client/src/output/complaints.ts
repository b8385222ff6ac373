import { harmlessText } from './harmless.js';

/** Writes messages to standard error. */
export function complaintsTo(stderr: { write: (text: string) => unknown }): (message: string) => void {
  return (message) => void stderr.write(`store: ${harmlessText(message)}\n`);
}
