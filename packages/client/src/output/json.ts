import { harmlessJson } from './harmless.js';
import type { Output } from './output.js';

async function printChanged(output: Output, value: unknown, indent?: number): Promise<void> {
  const { printShaped } = await import('./shape.js');
  await printShaped(output, value, indent);
}

/** Prints a value as JSON, indented for people. */
export async function printJson(output: Output, value: unknown): Promise<void> {
  if (output.shape) return printChanged(output, value, 2);
  await output.write(`${harmlessJson(JSON.stringify(value, null, 2))}\n`);
}

/** Prints a value as one line of JSON. */
export async function printJsonLine(output: Output, value: unknown): Promise<void> {
  if (output.shape) return printChanged(output, value);
  await output.write(`${harmlessJson(JSON.stringify(value))}\n`);
}

/** Prints an array as its entries come, one per line; at once where jq is to have the whole of it. */
export class JsonArray {
  private isEmpty = true;
  private readonly held: unknown[] = [];

  constructor(private readonly output: Output) {}

  async print(values: readonly unknown[]): Promise<void> {
    if (values.length === 0) return;
    const { shape } = this.output;
    if (shape?.jq !== undefined) {
      for (const value of values) this.held.push(value);
      return;
    }
    const picked = shape ? (await import('./shape.js')).pickFields(values, shape.fields) : values;
    const lines = picked.map((value) => harmlessJson(JSON.stringify(value)));
    await this.output.write((this.isEmpty ? '[\n' : ',\n') + lines.join(',\n'));
    this.isEmpty = false;
  }

  async end(): Promise<void> {
    if (this.output.shape?.jq !== undefined) return printChanged(this.output, this.held);
    await this.output.write(this.isEmpty ? '[]\n' : '\n]\n');
  }
}
