import { type Statement, statement } from './database.js';

/** SQL of a condition: made from the parameter with the filter's value, or fixed for a filter without a value. */
type Condition = string | ((parameter: string) => string);

/** The given filters, with their values. */
export type Given<Filter extends string> = Partial<Record<Filter, unknown>>;

/** The values of a statement, and their parameters in its text. */
export class Parameters {
  readonly values: unknown[];

  constructor(values: readonly unknown[]) {
    this.values = [...values];
  }

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** The conditions of a list's filters, put together from fixed pieces: values are always bound. */
export class FilterConditions<Filter extends string> {
  private readonly names: readonly Filter[];

  constructor(private readonly conditions: Record<Filter, Condition>) {
    this.names = Object.keys(conditions) as Filter[];
  }

  /** SQL of the given filters, each after an AND, except those that the statement handles itself. */
  sql(given: Given<Filter>, parameters: Parameters, otherwise: readonly Filter[] = []): string {
    const asked = this.names.filter((name) => given[name] !== undefined && !otherwise.includes(name));
    const pieces = asked.map((name) => {
      const condition: Condition = this.conditions[name];
      return typeof condition === 'string' ? condition : condition(parameters.add(given[name]));
    });
    return pieces.map((piece) => ` AND ${piece}`).join('');
  }

  /** The given filters, one character each, since PostgreSQL truncates statement names to 63 characters. */
  mark(given: Given<Filter>): string {
    return this.names.map((name) => (given[name] === undefined ? '0' : '1')).join('');
  }
}

const named = new Map<string, Statement>();

/** The statement with this name, whose text is built once. */
export function statementOnce(name: string, text: () => string): Statement {
  const known = named.get(name) ?? statement(name, text());
  named.set(name, known);
  return known;
}

/** The statements of one list, one for each combination of filters. */
export class FilteredStatement<Filter extends string> {
  private readonly conditions: FilterConditions<Filter>;

  /** `text` builds the statement; its own parameters come before those of the filters. */
  constructor(
    private readonly name: string,
    conditions: Record<Filter, Condition>,
    private readonly text: (conditions: string) => string,
  ) {
    this.conditions = new FilterConditions(conditions);
  }

  /** The statement for the given filters, with all its values. */
  of(ownValues: readonly unknown[], given: Given<Filter>): { statement: Statement; values: unknown[] } {
    const parameters = new Parameters(ownValues);
    const conditions = this.conditions.sql(given, parameters);
    const name = `${this.name}.${this.conditions.mark(given)}`;
    return { statement: statementOnce(name, () => this.text(conditions)), values: parameters.values };
  }
}

/** The values of a list filter; an empty list counts as omitted. */
export function listed<T>(values: readonly T[] | undefined): readonly T[] | undefined {
  return values?.length ? values : undefined;
}
