import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A module's URL, or a CommonJS file's path; bounded, so that no text takes long. */
const place = /(?<=[ (])((?:file:\/\/)?\/[^\s():]{1,1000}\.js):(\d{1,9}):(\d{1,9})/g;
const maps = new Map<string, SourceMap | null>();

function readMap(url: string): SourceMap | null {
  try {
    const file = `${fileURLToPath(url)}.map`;
    return existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload) : null;
  } catch {
    return null; // the stack is shown as it is
  }
}

function mapOf(url: string): SourceMap | null {
  const known = maps.get(url);
  if (known !== undefined) return known;
  const map = readMap(url);
  maps.set(url, map);
  return map;
}

/**
 * A stack trace, or a text that contains some, with the TypeScript files in place of the running ones. The first call reads
 * their source maps: Node's own way, `process.setSourceMapsEnabled`, reads them at each start and keeps
 * 20 MB.
 */
export function mappedStack(text: string): string {
  return text.replace(place, (whole, file: string, line: string, column: string) => {
    const url = file.startsWith('/') ? pathToFileURL(file).href : file;
    const origin = mapOf(url)?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin) || !origin.fileName) return whole;
    return `${fileURLToPath(new URL(origin.fileName, url))}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}
