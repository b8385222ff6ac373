import { harmlessLine } from './harmless.js';
import type { Output } from './output.js';

export type Detail = readonly [name: string, value: string | number | null | undefined];

/** Prints names and values one below the other, without those that have no value. */
export async function printDetails(output: Output, details: readonly Detail[]): Promise<void> {
  const shown = details.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  const lines = shown.map(
    ([name, value]) => `${output.paint(name.padEnd(width), 'bold')}  ${harmlessLine(String(value))}\n`,
  );
  await output.write(lines.join(''));
}
