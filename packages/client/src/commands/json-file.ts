import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { exitCodes, Failure } from '../failure.js';
import type { Surroundings } from '../surroundings.js';

/** More than the service accepts for any such thing. */
const mostBytes = 1_048_576;

const openErrors: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EISDIR: 'it is a folder',
};

function unreadable(file: string, reason: string): Failure {
  return new Failure(`Cannot read ${file}: ${reason}`, exitCodes.usage);
}

async function textOf(file: string, chunks: AsyncIterable<Buffer | string>): Promise<string> {
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    read.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes > mostBytes) throw unreadable(file, 'it is longer than 1 MiB');
  }
  return Buffer.concat(read).toString('utf8');
}

async function contentOf(file: string): Promise<string> {
  try {
    if ((await stat(file)).isDirectory()) throw unreadable(file, 'it is a folder');
    return await textOf(file, createReadStream(file));
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw unreadable(file, openErrors[code] ?? message);
  }
}

/** The object in a JSON file; `-` is standard input. */
export async function readJsonFile({ stdin }: Surroundings, file: string): Promise<Record<string, unknown>> {
  const text = file === '-' ? await textOf('standard input', stdin) : await contentOf(file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unreadable(file, `it is no JSON (${error instanceof Error ? error.message : ''})`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw unreadable(file, 'it holds no JSON object');
}
