/** The value of a field before and after, or only the fact that it changed if its values must not be stored. */
export type AuditChange = { from: unknown; to: unknown } | { changed: true };

/** The changes, by the names of the fields. */
export type AuditChanges = Record<string, AuditChange>;

/** The fields that entries record; all others are omitted. */
export interface AuditedFields<T> {
  /** Kept with their values. */
  shown: readonly (keyof T & string)[];
  /** Secrets, personal data and long texts: entries only say that they changed. */
  concealed?: readonly (keyof T & string)[];
}

/** For longer values, entries only say that they changed. */
const longestJson = 1_000;

function jsonOf(value: unknown): string {
  return JSON.stringify(value ?? null);
}

function changeOf(from: unknown, to: unknown): AuditChange {
  const long = jsonOf(from).length > longestJson || jsonOf(to).length > longestJson;
  return long ? { changed: true } : { from: from ?? null, to: to ?? null };
}

/**
 * The changes of a resource. A new one has no `before`, a deleted one no `after`; a missing field counts as null, and
 * an unchanged one is omitted.
 */
export function changesOf<T extends object>(
  before: Partial<T> | null,
  after: Partial<T> | null,
  { shown, concealed = [] }: AuditedFields<T>,
): AuditChanges {
  const differs = (field: keyof T) => jsonOf(before?.[field]) !== jsonOf(after?.[field]);
  return Object.fromEntries([
    ...shown.filter(differs).map((field) => [field, changeOf(before?.[field], after?.[field])] as const),
    ...concealed.filter(differs).map((field) => [field, { changed: true }] as const),
  ]);
}
