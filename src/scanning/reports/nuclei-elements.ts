import { isUtf8 } from 'node:buffer';
import { ArraySplitter, type ElementSplitter, LineSplitter } from '../../platform/http/element-splitters.js';
import { structureFault } from '../../platform/http/json-depth.js';

/** One line, or one element of the array: its value, or its fault. */
export type NucleiElement = { value: unknown } | { fault: string };

const maxElementBytes = 4 * 2 ** 20;
const byteOrderMark = /^\ufeff/;

function elementOf(bytes: Buffer): NucleiElement[] {
  if (bytes.length > maxElementBytes) return [{ fault: `is larger than ${maxElementBytes / 2 ** 20} MiB` }];
  if (!isUtf8(bytes)) return [{ fault: 'is not valid UTF-8' }];
  const text = bytes.toString().replace(byteOrderMark, '').trim();
  if (text === '') return [];
  const fault = structureFault(bytes, '');
  if (fault !== null) return [{ fault }];
  try {
    return [{ value: JSON.parse(text) as unknown }];
  } catch {
    return [{ fault: 'is not valid JSON' }];
  }
}

/** A bracket and the start of an array's first element: tools also log lines such as `[INF] ...` among the findings. */
const arrayStart = /^\[(?:[\]{["]|(?:-?\d[\d.eE+-]{0,30}|true|false|null)(?:[\s,\]]|$))/;
const startLength = 64;

/** Whether the report is an array, rather than lines. */
async function isArray(chunks: AsyncIterable<Buffer>): Promise<boolean> {
  let start = '';
  for await (const chunk of chunks) {
    start += chunk.toString('latin1');
    start = start.replace(/^\xef\xbb\xbf/, '').trimStart();
    if (start.startsWith('[')) start = `[${start.slice(1).trimStart()}`;
    else if (start !== '' && !start.startsWith('\xef')) return false;
    if (start.length > startLength) break;
  }
  return arrayStart.test(start);
}

// Exports of several versions lack a comma between elements, or have one too many.
const arrayRules = { name: 'report', lenient: true };

/** The lines of a report without blank ones, or the elements where it is an array. */
export async function* nucleiElements(bytes: () => AsyncIterable<Buffer>): AsyncGenerator<NucleiElement[]> {
  const splitter: ElementSplitter = (await isArray(bytes())) ? new ArraySplitter(arrayRules) : new LineSplitter();
  for await (const chunk of bytes()) {
    const elements = splitter.push(chunk).flatMap(elementOf);
    if (elements.length > 0) yield elements;
  }
  const last = splitter.end().flatMap(elementOf);
  if (last.length > 0) yield last;
}
