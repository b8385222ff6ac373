import { constants, createReadStream, type Stats } from 'node:fs';
import { access, open as openFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { exitCodes, Failure } from '../failure.js';

const gibibyte = 2 ** 30;
/** The largest limit that a service can be set to (IMPORT_MAX_MB). */
const maxBytes = gibibyte;
/** Smaller reports are sent uncompressed. */
const minBytesToZip = 16 * 1024;
const quietMs = 2_000;

const openErrors: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  ENOTDIR: 'a part of the path is no folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
};

function unreadable(file: string, error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = openErrors[code] ?? (error instanceof Error ? error.message : String(error));
  return new Failure(`Cannot read ${file}: ${reason}`, exitCodes.usage);
}

function refusalOf(info: Stats): string | null {
  if (info.isDirectory()) return 'it is a folder: name a report in it';
  if (info.isSocket() || info.isBlockDevice()) return 'it is a device or socket';
  if (info.size <= maxBytes) return null;
  return `it has ${(info.size / gibibyte).toFixed(1)} GiB, and no service takes more than 1 GiB: split it`;
}

async function isZipped(file: string): Promise<boolean> {
  const handle = await openFile(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.readUInt16BE(0) === 0x1f8b;
  } finally {
    await handle.close();
  }
}

/** Reports that a pipe delivers nothing, so that one without a writer does not look like a hanging client. */
async function* watched(
  bytes: AsyncIterable<Buffer>,
  file: string,
  notify: (message: string) => void,
): AsyncGenerator<Buffer> {
  const timer = setTimeout(() => notify(`${file} is a pipe: waiting for what is written into it`), quietMs);
  try {
    for await (const chunk of bytes) {
      clearTimeout(timer);
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Called with the number of bytes of the report sent so far. */
export type Progress = (bytes: number) => void;

/** The size has changed: what was sent is no report, or half of one. */
function changed(file: string): Failure {
  return new Failure(`${file} was changed while it was sent: import it when it is complete`);
}

/** The bytes of a report, counted. Throws a `Failure` if they cannot be read, or their number is not the file's size. */
async function* counted(
  bytes: AsyncIterable<Buffer>,
  { file, size, progress }: { file: string; size?: number; progress: Progress },
): AsyncGenerator<Buffer> {
  let total = 0;
  try {
    for await (const chunk of bytes) {
      progress((total += chunk.length));
      if (size !== undefined && total > size) throw changed(file);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof Failure ? error : unreadable(file, error);
  }
  if (size !== undefined && total < size) throw changed(file);
}

function zipped(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const source = Readable.from(bytes, { objectMode: false });
  const zip = createGzip();
  source.on('error', (error) => zip.destroy(error));
  zip.on('close', () => source.destroy());
  return source.pipe(zip);
}

interface Upload {
  /** Opens the bytes; called again for each attempt. */
  open: () => AsyncIterable<Uint8Array>;
  /** The number of bytes, if it is known. */
  size: number | undefined;
  isRepeatable: boolean;
}

/** A report to send; `bytes` is its size if that is known. */
export interface ReportFile {
  upload: Upload;
  bytes: number | undefined;
}

/** Standard input, gzipped as it comes. */
function ofStdin(stdin: NodeJS.ReadableStream, progress: Progress): ReportFile {
  const open = () => zipped(counted(stdin as AsyncIterable<Buffer>, { file: 'standard input', progress }));
  return { upload: { open, size: undefined, isRepeatable: false }, bytes: undefined };
}

/**
 * Opens a report, or standard input for `-`; compresses it with gzip unless it already is or is small. Throws a `Failure` for
 * a report that cannot be read, before anything is sent.
 */
export async function openReport(
  file: string,
  stdin: NodeJS.ReadableStream,
  progress: Progress,
  notify: (message: string) => void,
): Promise<ReportFile> {
  if (file === '-') return ofStdin(stdin, progress);
  const info = await stat(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  const refusal = refusalOf(info);
  if (refusal !== null) throw new Failure(`Cannot read ${file}: ${refusal}`, exitCodes.usage);
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (!info.isFile()) {
    const open = () => zipped(counted(watched(createReadStream(file), file, notify), { file, progress }));
    return { upload: { open, size: undefined, isRepeatable: false }, bytes: undefined };
  }
  const isSentAsItIs = info.size < minBytesToZip || (await isZipped(file));
  const bytes = () => counted(createReadStream(file), { file, size: info.size, progress });
  const open = isSentAsItIs ? bytes : () => zipped(bytes());
  return { upload: { open, size: isSentAsItIs ? info.size : undefined, isRepeatable: true }, bytes: info.size };
}
