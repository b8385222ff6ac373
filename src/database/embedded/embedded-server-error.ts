/** Why the embedded PostgreSQL cannot serve, in a sentence that says what to do. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
}

const WAY_OUT = 'or set DATABASE_URL to a PostgreSQL server of your own';

/** Returns `what` with the way out that every refusal of the embedded server offers. */
export function refusal(what: string, remedy: string, cause?: unknown): EmbeddedServerError {
  return new EmbeddedServerError(`${what}. ${remedy}, ${WAY_OUT}.`, cause === undefined ? undefined : { cause });
}

/** The error code of Node or of PostgreSQL (`ENOENT`, `57P03`), or an empty string. */
export function codeOf(error: unknown): string {
  return text(error, 'code') ?? '';
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return text(error, 'message') ?? String(error);
}

// Not by instanceof: an error of Node's own comes from another realm where the code runs in a vm context, as in tests.
function text(error: unknown, name: 'code' | 'message'): string | null {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : null;
  return typeof value === 'string' ? value : null;
}

const SENTENCES: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is mounted read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a file of that name is in the way',
};

/** Turns a failed write below `folder` into a sentence that names the folder; anything else passes unchanged. */
export function folderRefusal(folder: string, error: unknown): unknown {
  const reason = SENTENCES[codeOf(error)];
  if (reason === undefined) return error;
  return refusal(`The data folder ${folder} cannot be written: ${reason}`, 'Set DATA_DIR to another folder', error);
}
