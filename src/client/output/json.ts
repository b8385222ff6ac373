import { harmlessJson } from './harmless.js';
import type { Output } from './output.js';

/** One thing, laid out for people too. */
export async function printJson(output: Output, value: unknown): Promise<void> {
  await output.write(`${harmlessJson(JSON.stringify(value, null, 2))}\n`);
}

/** One thing on one line. */
export async function printJsonLine(output: Output, value: unknown): Promise<void> {
  await output.write(`${harmlessJson(JSON.stringify(value))}\n`);
}

/** An array, one entry a line, printed as its entries come. */
export class JsonArray {
  private isEmpty = true;

  constructor(private readonly output: Output) {}

  async print(values: readonly unknown[]): Promise<void> {
    if (values.length === 0) return;
    const lines = values.map((value) => harmlessJson(JSON.stringify(value)));
    await this.output.write((this.isEmpty ? '[\n' : ',\n') + lines.join(',\n'));
    this.isEmpty = false;
  }

  async end(): Promise<void> {
    await this.output.write(this.isEmpty ? '[]\n' : '\n]\n');
  }
}
