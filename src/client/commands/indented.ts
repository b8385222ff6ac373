import { harmlessText } from '../output/harmless.js';

/** Text of several lines, each a little to the right. */
export function indented(text: string): string {
  return harmlessText(text)
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}
