import { printJsonLine } from './json.js';
import type { Output } from './output.js';

/** Prints values as they come, one per line. */
export class JsonLines {
  constructor(private readonly output: Output) {}

  async print(values: readonly unknown[]): Promise<void> {
    for (const value of values) await printJsonLine(this.output, value);
  }
}
