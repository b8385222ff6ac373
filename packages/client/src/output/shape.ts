import { exitCodes, Failure } from '../failure.js';
import { harmlessJson, harmlessText } from './harmless.js';
import type { Output } from './output.js';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The given fields of each entry; refuses a field that none of them has. */
export function pickFields(values: readonly unknown[], fields: readonly string[] | undefined): unknown[] {
  if (!fields || values.length === 0) return [...values];
  const known = new Set(values.flatMap((value) => (isObject(value) ? Object.keys(value) : [])));
  const unknown = fields.filter((field) => !known.has(field));
  if (unknown.length > 0) {
    const there = [...known].join(', ') || 'none';
    throw new Failure(`There is no field ${unknown.join(', ')}; there are: ${there}`, exitCodes.usage);
  }
  return values.map((value) =>
    isObject(value) ? Object.fromEntries(fields.map((field) => [field, value[field] ?? null])) : value,
  );
}

/** What jq makes of a value, as `jq -rc` prints it. */
async function jqText(value: unknown, expression: string): Promise<string> {
  // One file with jq in it, as WebAssembly; loaded only where an expression is given.
  const { raw } = await import('jq-wasm/inline');
  const { stdout, stderr, exitCode } = await raw(JSON.stringify(value), expression, ['-r', '-c']);
  if (exitCode === 0) return stdout;
  const cannotCompile = 3;
  const sentence = stderr.trim().replaceAll('\n', '\n       ');
  throw new Failure(`--jq: ${sentence}`, exitCode === cannotCompile ? exitCodes.usage : exitCodes.failed);
}

/** Prints a value that a shape changes; the fields are those of each entry of an array. */
export async function printShaped(output: Output, value: unknown, indent?: number): Promise<void> {
  const { fields, jq } = output.shape ?? {};
  const picked = Array.isArray(value) ? pickFields(value, fields) : pickFields([value], fields)[0];
  if (jq === undefined) {
    await output.write(`${harmlessJson(JSON.stringify(picked, null, indent))}\n`);
    return;
  }
  const text = await jqText(picked, jq);
  // A file keeps every character; a terminal must not obey control characters.
  if (text !== '') await output.write(`${output.isTerminal ? harmlessText(text) : text}\n`);
}
