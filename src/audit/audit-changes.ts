/** The value of a field before and after, or that it changed, where its values are not to be kept. */
export type AuditChange = { from: unknown; to: unknown } | { changed: true };

/** What changed, by the names of the fields. */
export type AuditChanges = Record<string, AuditChange>;

/** The fields of a thing that its entries tell of; all others are left out. */
export interface AuditedFields<T> {
  /** Kept with their values. */
  shown: readonly (keyof T & string)[];
  /** Secrets, personal data and long texts: kept as changed, without values. */
  concealed?: readonly (keyof T & string)[];
}

/** Longer values are kept as changed alone. */
const longestJson = 1_000;

function jsonOf(value: unknown): string {
  return JSON.stringify(value ?? null);
}

function changeOf(from: unknown, to: unknown): AuditChange {
  const long = jsonOf(from).length > longestJson || jsonOf(to).length > longestJson;
  return long ? { changed: true } : { from: from ?? null, to: to ?? null };
}

/**
 * What changed of a thing. A thing that was made has no `before`, one that was deleted no `after`; a field that is missing
 * counts as null, and one that stayed the same is left out.
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
