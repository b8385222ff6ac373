import { problemOf } from '../api/problem.js';
import { place } from '../router.svelte.js';
import { texts } from '../texts/texts.js';

/** A resource as read, with the ETag of that version. */
export interface Version<T> {
  value: T;
  /** Unknown if it was read as part of a list. */
  etag: string | null;
}

/** The response for one resource as its version. */
export async function askVersion<T>(answer: Promise<{ data: T; response: Response }>): Promise<Version<T>> {
  const { data, response } = await answer;
  return { value: data, etag: response.headers.get('etag') };
}

/** One field of a form, under its label. */
export interface EditedField<T> {
  key: keyof T;
  label: string;
  /** The text of its value, if that is not the value itself. */
  text?: (value: T[keyof T]) => string;
}

interface Row {
  label: string;
  mine: string;
  theirs: string;
  /** Whether this user changed it. */
  isMine: boolean;
}

interface Question {
  name: string;
  rows: Row[];
  answer: (choice: 'mine' | 'theirs' | null) => void;
}

/** The two versions to choose between, if there are two. */
export const versions = $state<{ question: Question | null }>({ question: null });

function choose(name: string, rows: Row[]): Promise<'mine' | 'theirs' | null> {
  versions.question?.answer(null);
  return new Promise((resolve) => {
    const answer = (choice: 'mine' | 'theirs' | null) => {
      stay();
      versions.question = null;
      resolve(choice);
    };
    const stay = place.onleave(() => answer(null));
    versions.question = { name, rows, answer };
  });
}

/** Lists are compared by what is in them. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** The fields of a body that differ. */
export function changesOf<T extends object>(body: T, before: T): Partial<T> {
  const keys = Object.keys(body) as (keyof T)[];
  return Object.fromEntries(
    keys.filter((key) => !isSame(body[key], before[key])).map((key) => [key, body[key]]),
  ) as Partial<T>;
}

interface Edit<T> {
  /** The name of the edited resource. */
  name: string;
  /** The fields that the user saw. */
  fields: readonly EditedField<T>[];
  /** Their values at that time. */
  before: Version<T>;
  /** The user's changes. */
  changes: Partial<T>;
  read: () => Promise<Version<T>>;
  /** Writes the changes, but only over the version with this ETag. */
  write: (etag: string) => Promise<Version<T>>;
}

function textOf<T>({ text }: EditedField<T>, value: T[keyof T]): string {
  if (value === null || value === undefined || value === '') return '–';
  if (text) return text(value);
  return typeof value === 'boolean' ? (value ? texts.common.yes : texts.common.no) : String(value);
}

function rowsOf<T>({ fields, before, changes }: Edit<T>, theirs: T): Row[] {
  return fields.flatMap((field) => {
    const isMine = field.key in (changes as object);
    const mine = isMine ? (changes[field.key] as T[keyof T]) : before.value[field.key];
    if (isSame(mine, theirs[field.key])) return [];
    return [{ label: field.label, mine: textOf(field, mine), theirs: textOf(field, theirs[field.key]), isMine }];
  });
}

/** Writes if nobody has changed it since that version; returns nothing if somebody has. */
async function writeOver<T>(edit: Edit<T>, etag: string | null): Promise<Version<T> | null> {
  if (etag === null) return null;
  try {
    return await edit.write(etag);
  } catch (error) {
    if (problemOf(error).code === 'changed_meanwhile') return null;
    throw error;
  }
}

/**
 * Saves a user's changes to a resource. If others changed fields that the user saw, the user chooses one of the two versions.
 * Returns the saved one, or the others' version if they took that, or nothing if they continue editing.
 */
export async function saveEdit<T>(edit: Edit<T>): Promise<{ kept: 'mine' | 'theirs'; version: Version<T> } | null> {
  let known = edit.before;
  for (;;) {
    const saved = await writeOver(edit, known.etag);
    if (saved) return { kept: 'mine', version: saved };
    const theirs = await edit.read();
    if (theirs.etag === known.etag) throw new Error(texts.parts.somebodyIsChangingItAt);
    const isSeen = edit.fields.every(({ key }) => isSame(theirs.value[key], known.value[key]));
    const rows = isSeen ? [] : rowsOf(edit, theirs.value);
    const choice = rows.length > 0 ? await choose(edit.name, rows) : 'mine';
    if (choice === null) return null;
    if (choice === 'theirs') return { kept: 'theirs', version: theirs };
    known = theirs;
  }
}
