/** The reason why the embedded PostgreSQL cannot serve, in a sentence with advice. */
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

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return text(error, 'message') ?? String(error);
}

// Not by instanceof: an error of Node's own comes from another realm where the code runs in a vm context, as in tests.
function text(error: unknown, name: 'code' | 'message'): string | null {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : null;
  return typeof value === 'string' ? value : null;
}

const ELSEWHERE = 'Set DATA_DIR to another folder';

const FOLDER_REFUSALS: Record<string, [reason: string, remedy: string]> = {
  EACCES: ['this user may not write there', ELSEWHERE],
  EPERM: ['this user may not write there', ELSEWHERE],
  EROFS: ['the disk is mounted read-only', ELSEWHERE],
  ENOENT: ['it cannot be made there', ELSEWHERE],
  ENOTDIR: ['a part of the path is a file, not a folder', ELSEWHERE],
  EEXIST: ['a file of that name is in the way', ELSEWHERE],
  ENOSPC: ['the disk is full', 'Make room'],
  EDQUOT: ['the disk quota is used up', 'Make room'],
};

/** Turns a failed write below `folder` into a sentence that names the folder; anything else passes unchanged. */
export function folderRefusal(folder: string, error: unknown): unknown {
  const found = FOLDER_REFUSALS[codeOf(error)];
  if (found === undefined) return error;
  const [reason, remedy] = found;
  return refusal(`The data folder ${folder} cannot be written: ${reason}`, remedy, error);
}
