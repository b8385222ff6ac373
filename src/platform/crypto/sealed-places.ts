declare const ofPlace: unique symbol;

/**
 * What a value is sealed for, such as `totp:<user id>`. Only `sealedColumn` and its neighbors make one, so that
 * `npm start -- --rotate-keys` finds all that is sealed.
 */
export type SealedPlace = string & { readonly [ofPlace]: true };

/** A column of sealed values. */
export interface SealedColumn {
  table: string;
  column: string;
  /** Whether it holds bytes; otherwise text. */
  isBytes: boolean;
  /** The columns that an index finds rows by, with their types. */
  key: Readonly<Record<string, 'uuid' | 'text' | 'integer'>>;
  /** A column that leads to the server of a row where the table is spread over several. */
  spreadBy: string | undefined;
  placeOf: (...key: (string | number)[]) => SealedPlace;
}

/** A task whose jobs wait with a sealed value, in the field `sealed` of their payload. */
export interface SealedTask {
  task: string;
  placeOf: (payload: Readonly<Record<string, unknown>>) => SealedPlace;
}

interface ColumnParts {
  table: string;
  column: string;
  isBytes?: boolean;
  key: SealedColumn['key'];
  spreadBy?: string;
  /** The beginning of the places. */
  place: string;
}

const columns = new Map<string, SealedColumn>();
const tasks = new Map<string, SealedTask>();

/** All columns of sealed values that the loaded modules have, by their tables. */
export function sealedColumns(): SealedColumn[] {
  return [...columns.values()].sort((one, other) => (one.table < other.table ? -1 : 1));
}

/** All tasks of the loaded modules whose jobs hold sealed values. */
export function sealedTasks(): SealedTask[] {
  return [...tasks.values()];
}

/** Declares a column of sealed values; returns the function that gives the place of a row by its key. */
export function sealedColumn({ isBytes = false, spreadBy, place, ...parts }: ColumnParts): SealedColumn['placeOf'] {
  const placeOf = (...key: (string | number)[]): SealedPlace => [place, ...key].join(':') as SealedPlace;
  columns.set(`${parts.table}.${parts.column}`, { ...parts, isBytes, spreadBy, placeOf });
  return placeOf;
}

/** Declares that jobs of a task hold a sealed value, whose place the field `by` of their payload ends, if there is one. */
export function sealedTask(task: string, by?: string): (id?: string) => SealedPlace {
  const placeOf = (id?: string): SealedPlace => (id === undefined ? task : `${task}:${id}`) as SealedPlace;
  tasks.set(task, { task, placeOf: (payload) => placeOf(by === undefined ? undefined : String(payload[by])) });
  return placeOf;
}

/** The place of the text by which a start checks the key (`KeyCheck`). */
export const keyCheckPlace = 'encryption_check' as SealedPlace;
