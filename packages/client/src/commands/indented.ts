import { harmlessText } from '../output/harmless.js';

/** Text with every line indented. */
export function indented(text: string): string {
  return harmlessText(text)
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}
