import { type Statement, statement } from './database.js';

type Piece = (parameter: string) => string;

/** What is asked of a list: each filter that was given, with its value. */
export type Given<Filter extends string> = Partial<Record<Filter, unknown>>;

/**
 * The statements of one list, one for each combination of filters, put together from fixed pieces: the values are always
 * bound. Each is prepared under a name that the combination gives.
 */
export class FilteredStatement<Filter extends string> {
  private readonly made = new Map<string, Statement>();

  /** `text` makes the whole statement of the conditions; its own parameters come before those of the filters. */
  constructor(
    private readonly name: string,
    private readonly pieces: Record<Filter, Piece>,
    private readonly ownParameters: number,
    private readonly text: (conditions: string) => string,
  ) {}

  /** The statement for the filters that are given, and all its values. */
  of(ownValues: unknown[], given: Given<Filter>): { statement: Statement; values: unknown[] } {
    const filters = (Object.keys(this.pieces) as Filter[]).filter((filter) => given[filter] !== undefined);
    return {
      statement: this.combination(filters),
      values: [...ownValues, ...filters.map((filter) => given[filter])],
    };
  }

  private combination(filters: Filter[]): Statement {
    // PostgreSQL cuts names off after 63 characters, so each filter is one of them.
    const marks = Object.keys(this.pieces).map((filter) => (filters.includes(filter as Filter) ? '1' : '0'));
    const name = `${this.name}.${marks.join('')}`;
    const known = this.made.get(name);
    if (known) return known;
    const conditions = filters.map((filter, at) => ` AND ${this.pieces[filter](`$${this.ownParameters + at + 1}`)}`);
    const made = statement(name, this.text(conditions.join('')));
    this.made.set(name, made);
    return made;
  }
}

/** A list filter as it is asked: an empty list counts as left out. */
export function listed<T>(values: readonly T[] | undefined): readonly T[] | undefined {
  return values?.length ? values : undefined;
}
