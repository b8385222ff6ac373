import { violatedKey } from '../common/errors/database-errors.js';

/** Returns what `write` returns; where it violates one of these keys, throws the refusal for it instead. */
export async function refuseViolations<T>(
  write: Promise<T>,
  refusals: Readonly<Record<string, () => Error>>,
): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw refusals[violatedKey(error) ?? '']?.() ?? error;
  }
}
