import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Environment } from './environment-reader.js';
import { StartError } from './start-error.js';

function textOf(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new StartError(`The file ${file} cannot be read (${code}): let this user read it, or remove it`);
    }
    return '\0';
  }
}

/**
 * Adds the file's variables to the environment, whose own values take precedence. Throws `StartError` if the file
 * cannot be used.
 */
export function loadEnvFile(file: string, environment: Environment): void {
  if (!existsSync(file)) return;
  const text = textOf(file);
  // Editors and shells on Windows write UTF-16, in which no variable would be found.
  if (text.includes('\0')) throw new StartError(`The file ${file} is not UTF-8: save it as UTF-8`);
  for (const [name, value] of Object.entries(parseEnv(text))) environment[name] ??= value;
}
