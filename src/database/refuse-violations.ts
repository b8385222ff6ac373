import { violatedKey } from '../platform/errors/database-errors.js';

/** Returns the result of `write`; throws the refusal for a key instead if it violates that key. */
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
