import { harmlessJson } from './harmless.js';
import type { Output } from './output.js';

/** Prints a value as JSON, indented for people. */
export async function printJson(output: Output, value: unknown): Promise<void> {
  await output.write(`${harmlessJson(JSON.stringify(value, null, 2))}\n`);
}

/** Prints a value as one line of JSON. */
export async function printJsonLine(output: Output, value: unknown): Promise<void> {
  await output.write(`${harmlessJson(JSON.stringify(value))}\n`);
}

/** Prints an array as its entries come, one per line. */
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
